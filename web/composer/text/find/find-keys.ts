import { isApple, keyOf } from '#web/ui/controls/keys.ts'

type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>

/** The command of a browser's own search that a key has: it opens, or goes to the next place or the one before. */
export function findKeyOf(pressed: Pressed): 'open' | 1 | -1 | null {
  const { key, ctrlKey, metaKey, shiftKey, altKey } = pressed
  if (altKey) return null
  const direction = shiftKey ? -1 : 1
  if (key === 'F3' && !ctrlKey && !metaKey) return direction
  // On a Mac, Control with F and B moves the caret.
  if (isApple ? !metaKey || ctrlKey : !ctrlKey || metaKey) return null
  if (keyOf(pressed) === 'g') return direction
  return keyOf(pressed) === 'f' && !shiftKey ? 'open' : null
}
