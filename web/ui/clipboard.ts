/** Puts text on the clipboard; on plain http, where the browser offers none, by selecting it. Says whether it did. */
export async function copyText(text: string): Promise<boolean> {
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
  // Inside an open dialog, because its focus trap would take the selection back from anywhere else.
  const place = focused?.closest('[role="dialog"]') ?? document.body
  place.append(holder)
  holder.select()
  const copied = document.execCommand('copy')
  holder.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return copied
}
