import { withCommand } from '#web/ui/controls/keys.ts'
import type { Command } from './table.ts'

/** Returns the key of a command as it is written on this platform. */
export const writtenKey = ({ key }: Command): string | undefined =>
  key?.startsWith('Mod+') ? withCommand(key.slice(4).toUpperCase()) : key
