/* The slider of the minimum score: moves with its field, and says how many papers a week a score adds. */

/** Shows the slider, if the page has it. */
export function startThreshold () {
  const slider = document.getElementById('threshold-slider')
  if (slider === null) return
  const picture = slider.closest('[data-threshold]')
  const field = document.getElementById('feed_threshold')
  const limitField = document.getElementById('weekly_limit')
  const limitChoice = document.getElementById('limit-week')
  const papers = picture.dataset.threshold.split(' ').map(Number)
  const bars = [...picture.querySelectorAll('.column')]
  const show = () => {
    const from = Math.round(Math.min(Math.max(Number(field.value), Number(slider.min)), Number(slider.max)))
    const count = papers.slice(from).reduce((sum, each) => sum + each, 0) / Number(picture.dataset.weeks)
    const text = count === 0 || count >= 10 ? String(Math.round(count)) : count.toFixed(1).replace(/\.0$/, '')
    const limit = limitChoice.checked ? Number(limitField.value) : 0
    const limited = limit > 0 && count > limit ? `; at most ${limit} added` : ''
    const perWeek = `${text} ${text === '1' ? 'paper' : 'papers'} a week${limited}`
    document.getElementById('threshold-result').textContent = `About ${perWeek}`
    for (const [at, bar] of bars.entries()) bar.classList.toggle('strong', (at + 1) * papers.length / bars.length > from)
    slider.setAttribute('aria-valuetext', `${from}, about ${perWeek}`)
  }
  slider.hidden = false
  slider.addEventListener('input', () => {
    field.value = slider.value
    show()
  })
  field.addEventListener('input', () => {
    slider.value = field.value
    show()
  })
  limitField.form.addEventListener('input', show)
  show()
}
