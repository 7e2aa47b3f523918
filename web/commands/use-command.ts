import { useEffect, useEffectEvent } from 'react'
import { isApple, isDialogOpen, isTyping, keyOf } from '#web/ui/controls/keys.ts'
import { commandKeys } from './command-keys.ts'
import type { CommandId } from './table.ts'

type Run = () => void

/** What the screens that are shown can do. */
const offered = new Map<CommandId, Run>()

/** Offers a command while the component is mounted: to its key, and to the palette. Without a function it is not offered. */
export function useCommand(id: CommandId, run: Run | null): void {
  const give = useEffectEvent(() => run?.())
  const isOffered = run !== null

  useEffect(() => {
    if (!isOffered) return undefined
    const own = () => give()
    offered.set(id, own)
    return () => {
      // The next screen may be mounted before this one is gone.
      if (offered.get(id) === own) offered.delete(id)
    }
  }, [id, isOffered])
}

/** Returns the function of a command that is offered now. */
export const offeredCommand = (id: CommandId): Run | undefined => offered.get(id)

type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** Returns the command whose key was pressed. */
export function commandOf(pressed: Pressed): CommandId | undefined {
  const { ctrlKey, metaKey, altKey, shiftKey } = pressed
  const [command, other] = isApple ? [metaKey, ctrlKey] : [ctrlKey, metaKey]
  const key = keyOf(pressed)
  // Shift writes the sign of a key, but makes no shortcut of its letter.
  if (other || altKey || (shiftKey && /^[a-z]$/.test(key))) return undefined
  return commandKeys[command ? `Mod+${key}` : key]
}

/** Gives the commands whose keys are pressed: without Ctrl or ⌘ only outside of text controls, and none while a dialog is open. */
export function useCommandKeys(): void {
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      const id = commandOf(event)
      const run = id && offered.get(id)
      const isTyped = !event.ctrlKey && !event.metaKey && isTyping(event.target)
      if (!run || isTyped || event.defaultPrevented || isDialogOpen()) return
      event.preventDefault()
      run()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
