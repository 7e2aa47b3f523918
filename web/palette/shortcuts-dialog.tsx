import { commandList } from '#web/commands/table.ts'
import { writtenKey } from '#web/commands/written-key.ts'
import { editorCommands } from '#web/composer/text/editor-commands.ts'
import { withCommand } from '#web/ui/controls/keys.ts'
import { Dialog, DialogBody } from '#web/ui/dialogs/dialog.tsx'

type Shortcut = { keys: string; does: string }

/** The commands that have a key, of an entry's page or of all others. */
const keysOf = (ofEntry: boolean): Shortcut[] =>
  commandList.flatMap(([, command]) => {
    const keys = writtenKey(command)
    return keys === undefined || (command.isOfEntry ?? false) !== ofEntry ? [] : { keys, does: command.name }
  })

const everywhere: Shortcut[] = [
  ...keysOf(false),
  { keys: withCommand('Enter'), does: 'Save' },
  { keys: 'Escape', does: 'Close what is on top' },
]

const inTheEditor: Shortcut[] = [
  ...editorCommands.map(({ name, keys }) => ({ keys: withCommand(keys), does: name })),
  { keys: withCommand('click'), does: 'Open a link of the text' },
  { keys: withCommand('F'), does: 'Find in the text' },
  { keys: withCommand('S'), does: 'Save the draft now' },
  { keys: 'Tab', does: 'Move an item of a list in' },
  { keys: 'Shift+Tab', does: 'Move it out' },
  { keys: 'Escape, Tab', does: 'Leave the text from a list' },
]

/** The list of keyboard shortcuts. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Keyboard shortcuts">
      <DialogBody>
        <ShortcutList title="Everywhere" shortcuts={everywhere} />
        <ShortcutList title="On an entry’s page" shortcuts={keysOf(true)} />
        <ShortcutList title="In an entry’s text" shortcuts={inTheEditor} />
      </DialogBody>
    </Dialog>
  )
}

function ShortcutList({ title, shortcuts }: { title: string; shortcuts: Shortcut[] }) {
  return (
    <section>
      <h3 className="mb-1 text-sm font-semibold">{title}</h3>
      <dl>
        {shortcuts.map(({ keys, does }) => (
          <div
            key={does}
            className="flex flex-row-reverse items-center justify-between gap-4 border-t border-line py-1.5 text-sm"
          >
            <dt className="shrink-0">
              <kbd className="rounded-sm border border-line bg-sunken px-1.5 py-0.5 font-mono text-xs">
                {keys}
              </kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
