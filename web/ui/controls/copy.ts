const CONFIRMATION_MS = 2000

const timers = new WeakMap<HTMLElement, ReturnType<typeof setTimeout>>()

/** Copies the text of a `CopyButton`, and makes the button confirm that for two seconds. */
export async function copyFrom(button: HTMLElement): Promise<void> {
  const outcome = (await copyText(button.dataset.copy ?? '')) ? 'copied' : 'failed'
  button.dataset.outcome = outcome
  say(button, outcome === 'copied' ? 'Copied!' : 'Copying failed')
  clearTimeout(timers.get(button))
  timers.set(
    button,
    setTimeout(() => {
      delete button.dataset.outcome
      say(button, '')
    }, CONFIRMATION_MS),
  )
}

/** Writes into an element that React renders empty, and that a translation of the page may change. */
function say(button: HTMLElement, text: string) {
  const message = button.querySelector('[data-message]')
  if (message) message.textContent = text
}

/** Copies text to the clipboard; on plain http, which has no clipboard API, by a selection. Returns whether it succeeded. */
async function copyText(text: string): Promise<boolean> {
  if (!navigator.clipboard) return copyBySelection(text)
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const holder = document.createElement('textarea')
  const focused = document.activeElement
  holder.value = text
  holder.className = 'sr-only'
  // Inside an open dialog, whose focus trap would undo a selection outside of it.
  const container = focused?.closest('[role="dialog"], dialog') ?? document.body
  container.append(holder)
  holder.select()
  const copied = document.execCommand('copy')
  holder.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return copied
}
