/** Whether shortcuts are written and pressed with ⌘ instead of Ctrl. */
export const isApple = /mac|iphone|ipad/i.test(navigator.userAgent)

/** Returns a shortcut as written on this platform, with Ctrl or ⌘. */
export const withCommand = (keys: string) => (isApple ? `⌘${keys.replace('Shift+', '⇧')}` : `Ctrl+${keys}`)

/** Whether an element takes text, in which keys without modifiers write. */
export function isTyping(target: EventTarget | null) {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select'))
  )
}

/** Whether a dialog is open above the page. */
export const isDialogOpen = (): boolean => document.querySelector('[role$=dialog], dialog') !== null

/** The keys without a letter that have shortcuts, by their place, and with Shift. */
const places: { [code: string]: [plain: string, shifted: string] } = { Slash: ['/', '?'] }

/** One letter, mark or digit of a script; some keys of Arabic layouts write two. */
const LETTERS = /^[\p{L}\p{M}\p{N}]{1,3}$/u
const LATIN = /[\p{sc=Latin}\p{sc=Common}\p{sc=Inherited}]/u
/** Other scripts' spellings of the characters that have shortcuts. */
const spellings: { [character: string]: string } = { '؟': '?', '？': '?', '／': '/' }

type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>

/**
 * Returns the key to compare with a shortcut: what it writes, letters in lower case; if that is a letter of another script, what the
 * key in its place writes on an English keyboard. Every shortcut of a letter or sign uses it.
 */
export function keyOf({ key, code, shiftKey }: Pressed): string {
  if (LETTERS.test(key) && !LATIN.test(key)) {
    const [, letter] = /^Key([A-Z])$/.exec(code) ?? []
    return letter?.toLowerCase() ?? places[code]?.[shiftKey ? 1 : 0] ?? key
  }
  return key.length === 1 ? (spellings[key] ?? key.toLowerCase()) : key
}
