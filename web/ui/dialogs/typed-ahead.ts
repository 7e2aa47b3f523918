/** How long after the opening the dialog may still focus its field; what was typed is dropped then. */
const LATEST_MS = 1000

/** What was typed before the field of a dialog was there. */
let typed = ''
/** Whether a key was pressed after it that leads to another field. */
let isComplete = false
/** How many parts of the page still hold it. */
let holds = 0
let giveUp: ReturnType<typeof setTimeout> | undefined

/**
 * Holds what is typed while a dialog opens, and inserts it into the first text field of a dialog that has the focus then. Returns a
 * function that ends the holding; it may follow at once on that of another part of the page.
 */
export function holdTyping(): () => void {
  clearTimeout(giveUp)
  addEventListener('keydown', onKeyDown, true)
  addEventListener('focusin', onFocusIn)
  addEventListener('pointerdown', forget, true)
  holds += 1
  return () => {
    holds -= 1
    if (holds === 0) giveUp = setTimeout(stop, LATEST_MS)
  }
}

function stop() {
  forget()
  removeEventListener('keydown', onKeyDown, true)
  removeEventListener('focusin', onFocusIn)
  removeEventListener('pointerdown', forget, true)
}

function forget() {
  typed = ''
  isComplete = false
}

function onKeyDown(event: KeyboardEvent) {
  // The opened dialog has its keys; until it has a field, a key of its buttons belongs to them.
  if (holds === 0 || event.isComposing) return
  const { key } = event
  const isShortcut = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph')
  if (isShortcut) return
  if (key === 'Escape') return forget()
  if (key === 'Tab' || key === 'Enter') isComplete = true
  if (isComplete) return
  if (key === 'Backspace') typed = Array.from(typed).slice(0, -1).join('')
  else if (Array.from(key).length === 1 && !(key === ' ' && typed === '')) typed += key
  else return
  event.preventDefault()
  event.stopPropagation()
}

function onFocusIn({ target }: FocusEvent) {
  // Until then, the focus only returns to where it was.
  if (holds > 0 || !isField(target) || !target.closest('[role$=dialog]')) return
  const text = typed
  clearTimeout(giveUp)
  stop()
  if (text === '' || target.readOnly) return
  const { selectionStart, selectionEnd, value } = target
  target.setRangeText(text, selectionStart ?? value.length, selectionEnd ?? value.length, 'end')
  target.dispatchEvent(new InputEvent('input', { bubbles: true, data: text, inputType: 'insertText' }))
}

function isField(target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement {
  return (
    target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && TEXTS.has(target.type))
  )
}

/** The kinds of inputs that have a selection. */
const TEXTS: ReadonlySet<string> = new Set(['text', 'search', 'url', 'tel', 'password'])
