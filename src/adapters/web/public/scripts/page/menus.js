/* Menus: a click outside closes one, and so does Escape. */

/** Closes menus by click and key. */
export function startMenus () {
  document.addEventListener('click', ({ target }) => {
    for (const menu of document.querySelectorAll('details.menu[open]')) if (!menu.contains(target)) menu.open = false
  })
  document.addEventListener('keydown', event => {
    if (event.key !== 'Escape') return
    const menu = event.target.closest('details.menu[open]')
    if (menu === null) return
    menu.open = false
    menu.querySelector('summary').focus()
    // The selection stays.
    event.preventDefault()
  })
}
