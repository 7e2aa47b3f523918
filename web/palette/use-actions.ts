import { useNavigate } from 'react-router'
import { chooseTheme, type Theme } from '#web/account/theme.ts'
import { type Command, type CommandId, commandList } from '#web/commands/table.ts'
import { offeredCommand } from '#web/commands/use-command.ts'
import { useSession } from '#web/identity/session.tsx'
import type { Creation } from './create-form.tsx'

export type Action = Command & { id: CommandId; run: () => void }

type Palette = { onClose: () => void; onCreate: (creation: Creation) => void }

/** Returns the commands that can be given here, each of which also closes the palette or continues in it. */
export function useActions({ onClose, onCreate }: Palette): Action[] {
  const navigate = useNavigate()
  const { user } = useSession()

  const theme = (chosen: Theme) => () => {
    onClose()
    chooseTheme(chosen)
  }
  /** What is done in the same way wherever one is. */
  const own: { [id in CommandId]?: () => void } = {
    createProject: () => onCreate({ kind: 'project' }),
    addMilestone: () => onCreate({ kind: 'choose a project' }),
    light: theme('light'),
    dark: theme('dark'),
    system: theme(''),
  }

  function runOf(id: CommandId, { to }: Command): (() => void) | undefined {
    if (id === 'palette' || (id === 'administration' && !user?.isAdmin)) return undefined
    if (to !== undefined)
      return () => {
        onClose()
        void navigate(to)
      }
    const offered = offeredCommand(id)
    if (!offered) return own[id]
    return () => {
      onClose()
      offered()
    }
  }

  return commandList.flatMap(([id, command]) => {
    const run = runOf(id, command)
    return run ? { ...command, id, run } : []
  })
}
