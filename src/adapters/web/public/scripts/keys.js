/* Keyboard shortcuts. The bar of small screens and swipes trigger the same actions. */
import { narrow, setting, shortcutsSetting } from './settings.js'

/** Keys are for a field, or for a dialog, wherever the focus is: the paper behind it is out of sight. */
const isTyping = ({ target }) =>
  document.querySelector('dialog[open]') !== null ||
  target.closest('input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]') !== null

/** The page's actions, by key. */
let keyActions = {}
/** Keys queued while a paper loads; undefined when nothing loads. */
let waitingKeys

/** A button of the bar that shows the state of the paper takes it back. */
const oppositeKeys = { u: 'c', f: 'c', d: 'c', s: 'S' }
const isPressed = key => document.querySelector(`.triage-bar [data-press=${key}][aria-pressed=true]`) !== null

/** Runs a key's action, or queues it while a paper loads. @param isOfBar whether the key is that of a button of the bar */
function pressKey (key, isOfBar = false) {
  if (waitingKeys !== undefined) return waitingKeys.push([key, isOfBar])
  keyActions[isOfBar && isPressed(key) ? oppositeKeys[key] : key]?.()
}

/** The second tap of a double tap comes within this time. */
const doubleTapMs = 350
/** The last press of a button of the bar that votes or saves. */
let lastTap = { at: -Infinity }

/** Whether a press of such a button is a double tap: the second would act on the next paper, or take back what the first did. */
function isDoubleTap (key, at) {
  const isSecond = lastTap.key === key && at - lastTap.at < doubleTapMs
  lastTap = { key, at }
  return isSecond
}

/** Number of pending loads. */
let pendingLoads = 0

/**
 * Queues keys during a load, then runs them in order.
 * @param work resolves with false if what was to be loaded has not come: the keys were meant for it, and are forgotten
 */
export async function whileKeysWait (work) {
  waitingKeys ??= []
  pendingLoads++
  let hasCome = false
  try {
    hasCome = await work() !== false
  } finally {
    pendingLoads--
    if (!hasCome) waitingKeys.length = 0
    if (pendingLoads === 0) {
      const keys = waitingKeys
      waitingKeys = undefined
      // One of them may make the others wait again.
      for (const key of keys) pressKey(...key)
    }
  }
}

/** The key of an event. Where a layout has no Latin letters, or an input method takes the key, it is the letter that QWERTY has there. */
function keyOf (event) {
  const [, letter] = /^Key([A-Z])$/.exec(event.code) ?? []
  const isOther = event.key === 'Process' || /^(?:(?!\p{Script=Latin})[\p{L}\p{M}])+$/u.test(event.key)
  if (letter === undefined || !isOther || event.getModifierState('AltGraph')) return event.key
  return event.shiftKey ? letter : letter.toLowerCase()
}

/** Whether a finger moves the enlarged page. */
const isZoomed = () => visualViewport !== null && visualViewport.scale > 1.01

/** Parts of a paper that a finger scrolls sideways or opens. */
const ownGestureSelector = '.formula, .menu, .scroll, pre, table'

/**
 * Listens to keys, to buttons that press one, and to swipes.
 * @param actions what each key does @param swiped the part of the page in which a swipe opens the next or the previous paper
 * @param isMeant whether a keyboard event is for the page
 */
export function listenForKeys (actions, { swiped, isMeant = () => true }) {
  keyActions = actions
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event) || !setting(shortcutsSetting)) return
    const key = keyOf(event)
    if (!Object.hasOwn(actions, key) || !isMeant(event)) return
    event.preventDefault()
    // A key that is held down opens paper after paper, but votes once.
    if (!event.repeat || key === 'j' || key === 'k') pressKey(key)
  })
  document.addEventListener('click', ({ target, timeStamp }) => {
    const button = target.closest('[data-press]')
    if (button === null) return
    const key = button.dataset.press
    const isOfBar = button.closest('.triage-bar') !== null
    if (!isOfBar || !button.hasAttribute('aria-pressed') || !isDoubleTap(key, timeStamp)) pressKey(key, isOfBar)
  })

  let touch
  document.addEventListener(
    'touchstart',
    ({ touches, target }) => {
      const isForPaper = target.closest(swiped) !== null && target.closest(ownGestureSelector) === null && !isZoomed()
      touch = touches.length === 1 && narrow.matches && isForPaper ? touches[0] : undefined
    },
    { passive: true }
  )
  document.addEventListener(
    'touchend',
    ({ changedTouches: [end] }) => {
      if (touch === undefined) return
      const [x, y] = [end.clientX - touch.clientX, end.clientY - touch.clientY]
      touch = undefined
      if (Math.abs(x) > 60 && Math.abs(x) > 2 * Math.abs(y)) pressKey(x < 0 ? 'j' : 'k')
    },
    { passive: true }
  )
}
