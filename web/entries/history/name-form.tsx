import { type FormEvent, useEffect, useRef, useState } from 'react'
import { z } from 'zod'
import { REVISION_NAME_MAX, type Revision } from '#contract/history.ts'
import { formNames, readDraft, removeDraft, storeDraft } from '#web/forms/drafts.ts'
import { useSession } from '#web/identity/session.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { Field } from '#web/ui/controls/field.tsx'
import { TextInput } from '#web/ui/controls/text-input.tsx'
import { type EntryRef, useNameRevision } from './queries.ts'

type NameFormProps = { entryRef: EntryRef; revision: Revision; onClose: () => void }

/** Gives a version a name, or takes it away when the field is left empty. What was typed is kept until it is saved or cancelled. */
export function NameForm({ entryRef, revision, onClose }: NameFormProps) {
  const { user } = useSession()
  const [draftKey] = useState({ form: formNames.revisionName(revision), personId: user?._id })
  const [name, setName] = useState(() => readDraft(draftKey, z.string()) ?? revision.name ?? '')
  const input = useRef<HTMLDivElement>(null)
  const { mutate, isPending } = useNameRevision(entryRef, end)

  useEffect(() => {
    input.current?.querySelector('input')?.focus()
  }, [])

  function end() {
    removeDraft(draftKey)
    onClose()
  }

  function type(typed: string) {
    setName(typed)
    storeDraft(draftKey, typed)
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    // React would let it bubble to a form around this layer.
    event.stopPropagation()
    mutate({ revisionId: revision._id, name: name.trim() || null })
  }

  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-2.5">
      <div ref={input} className="min-w-56 flex-1">
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
        <Button variant="quiet" onClick={end}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
