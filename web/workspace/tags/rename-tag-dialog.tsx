import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { composed } from '#contract/parts/characters.ts'
import { TAG_MAX } from '#contract/parts/list-options.ts'
import { useRenameTag } from '#web/entries/bulk/mutations.ts'
import { tagsQuery } from '#web/entries/tags/queries.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Field } from '#web/ui/controls/field.tsx'
import { TextInput } from '#web/ui/controls/text-input.tsx'
import { Dialog, DialogBody, DialogFooter } from '#web/ui/dialogs/dialog.tsx'
import { DialogForm } from '#web/ui/dialogs/dialog-form.tsx'

type RenameTagDialogProps = { projectId: string; tag: string; onClose: () => void }

/** Gives a tag another name. It says beforehand if the two become one. */
export function RenameTagDialog({ projectId, tag, onClose }: RenameTagDialogProps) {
  const [typed, setTyped] = useState(tag)
  const [isMissing, setMissing] = useState(false)
  const suggestions = useId()
  const { data } = useQuery(tagsQuery(projectId))
  const { mutateAsync, isPending } = useRenameTag(projectId)
  const name = composed(typed.trim())
  const others = data?.tags.filter((other) => other.name !== tag) ?? []
  const taken = others.find((other) => other.name === name)
  const own = data?.tags.find((other) => other.name === tag)?.entries

  async function rename() {
    setMissing(name === '')
    if (name === '') return
    if (name === tag) return onClose()
    try {
      await mutateAsync({ tag, name })
    } catch {
      return // a toast says why, and the dialog keeps the name
    }
    onClose()
  }

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Rename tag">
      <DialogForm busy={isPending} onSubmit={rename}>
        <DialogBody>
          <Field label="Name" hint={hintOf(own)} {...(isMissing && { error: 'Name is required' })}>
            <TextInput
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
              maxLength={TAG_MAX}
              list={suggestions}
              dir="auto"
              autoComplete="off"
            />
          </Field>
          <datalist id={suggestions}>
            {others.map((other) => (
              <option key={other.name}>{other.name}</option>
            ))}
          </datalist>
          <p aria-live="polite" className="text-sm empty:hidden">
            {taken && (
              <>
                There is a tag “<bdi>{taken.name}</bdi>” already. The two become one.
              </>
            )}
          </p>
        </DialogBody>
        <DialogFooter>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={isPending}>
            {taken ? 'Merge' : 'Rename'}
          </Button>
        </DialogFooter>
      </DialogForm>
    </Dialog>
  )
}

const hintOf = (entries: number | undefined) =>
  entries === undefined
    ? 'It changes in all entries of this project. Drafts of others and the trash keep it.'
    : `It changes in ${entries === 1 ? '1 entry' : `${entries.toLocaleString()} entries`} of this project. Drafts of others and the trash keep it.`
