import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useParams } from 'react-router'
import { z } from 'zod'
import { REVISION_NAME_MAX, type Revision } from '#contract/history.ts'
import { watchSession } from '#web/api/client.ts'
import { entryQuery, movedEntryQuery } from '#web/entries/queries.ts'
import { formNames } from '#web/forms/form-names.ts'
import { recoverText } from '#web/forms/recovered-text.ts'
import { useFormDraftState } from '#web/forms/use-form-draft-state.ts'
import { useSession } from '#web/identity/session.tsx'
import { isNotFound, permissionsQuery } from '#web/projects/queries.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Field } from '#web/ui/controls/field.tsx'
import { TextInput } from '#web/ui/controls/text-input.tsx'
import { type EntryRef, useNameRevision } from './queries.ts'

type NameFormProps = { entryRef: EntryRef; revision: Revision; onClose: () => void }

/** Names a version, or removes the name if the field is empty. The text is kept until it is saved or canceled. */
export function NameForm({ entryRef, revision, onClose }: NameFormProps) {
  const form = useFormDraftState(formNames.revisionName(revision), z.string(), revision.name ?? '')
  const name = form.typed
  const input = useRef<HTMLDivElement>(null)
  const { mutateAsync, isPending, isRunning } = useNameRevision(entryRef)
  const latest = useRef(name)
  useRecovery(entryRef, () => (latest.current === (revision.name ?? '') ? null : latest.current))

  useEffect(() => {
    input.current?.querySelector('input')?.focus()
  }, [])

  function type(typed: string) {
    latest.current = typed
    form.type(typed)
  }

  function cancel() {
    latest.current = revision.name ?? ''
    form.discard()
    onClose()
  }

  async function save() {
    try {
      await mutateAsync({ revisionId: revision._id, name: name.trim() || null })
    } catch {
      return // a toast has shown the error
    }
    form.end(name, name)
    // Text that was typed in the meantime remains unsaved.
    if (latest.current === name) onClose()
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    // React would let it bubble to a form around this layer.
    event.stopPropagation()
    if (!isRunning()) void save()
  }

  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-2.5">
      <div ref={input} className="min-w-[min(14rem,100%)] flex-1">
        <Field label="Name" hint="A version with a name is kept for ever.">
          <TextInput
            value={name}
            maxLength={REVISION_NAME_MAX}
            placeholder="As sent to the club"
            onChange={({ target }) => type(target.value)}
          />
        </Field>
      </div>
      <div className="flex gap-2.5 pb-6.5">
        <Button type="submit" variant="primary" busy={isPending}>
          Save name
        </Button>
        <Button variant="quiet" onClick={cancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

/**
 * If the entry was deleted elsewhere, or the user may no longer edit it, its page closes the history: shows the name once more,
 * so that it can be copied.
 */
function useRecovery({ milestoneId, entryId }: EntryRef, readTyped: () => string | null): void {
  const client = useQueryClient()
  const { user } = useSession()
  const [isSessionOver] = useState(watchSession)
  const { projectId = '' } = useParams()

  const recover = useEffectEvent(() => {
    const name = readTyped()
    if (name === null || isSessionOver()) return
    const rights = client.getQueryState(permissionsQuery(projectId).queryKey)
    if (isNotFound(rights?.error) || !rights?.data?.canEdit) return recoverText(user?._id, { name }, 'gone')
    const entry = client.getQueryState(entryQuery(milestoneId, entryId).queryKey)
    if (!isNotFound(entry?.error)) return
    const isMoved = client.fetchQuery(movedEntryQuery(milestoneId, entryId)).catch(() => null)
    void isMoved.then((moved) => moved === null && recoverText(user?._id, { name }, 'gone'))
  })

  useEffect(() => () => recover(), [])
}
