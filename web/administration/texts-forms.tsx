import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { Link } from 'react-router'
import { z } from 'zod'
import { announcementFields, currentText, type Instance, termsFields } from '#contract/administration.ts'
import { ElsewhereBanner, RestoredBanner } from '#web/forms/banners.tsx'
import { formNames } from '#web/forms/form-names.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Field, TextArea } from '#web/ui/controls/field.tsx'
import { useRefusedFocus } from '#web/ui/controls/refused-focus.ts'
import { TextInput } from '#web/ui/controls/text-input.tsx'
import { LazyConfirmDialog } from '#web/ui/dialogs/on-demand.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { FetchFailed } from '#web/ui/feedback/empty-state.tsx'
import { Skeleton } from '#web/ui/feedback/loading.tsx'
import { useUpdateAnnouncement, useUpdateTerms } from './mutations.ts'
import { termsQuery } from './queries.ts'
import { useVersionedDraft, type Versioned } from './use-versioned-draft.ts'

const schema = z.object({ text: z.string() })

/** Returns the form's value of a text and its version; no text is an empty one. */
const versionedText = (text: string | null, version: number) => ({ value: { text: text ?? '' }, version })

function versionOf(current: unknown) {
  const { text, version } = currentText.parse(current)
  return versionedText(text, version)
}

/** The form of the line above the pages. */
export function AnnouncementForm({
  announcement,
  version,
}: Pick<Instance, 'announcement'> & { version: number }) {
  const { mutateAsync, isPending, variables } = useUpdateAnnouncement()
  const form = useVersionedDraft(
    { name: formNames.announcement(), schema, versionOf },
    versionedText(announcement, version),
  )
  const { text } = form.typed
  const [error, setError] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const isSaving = isPending && variables.text !== null

  const change = (text: string | null) =>
    form.save({ text: text ?? '' }, (version) => mutateAsync({ text, version }))

  function save() {
    const parsed = announcementFields.safeParse({ text })
    if (!parsed.success) return setError(parsed.error.issues[0]?.message)
    void change(parsed.data.text)
  }

  async function remove() {
    if (await change(null)) input.current?.focus() // the focused button was removed
  }

  return (
    <Form onSubmit={() => !isPending && save()}>
      <Notices form={form} label="Text" />
      <Field
        label="Text"
        hint="One line of plain text, such as when the server will be away. It is shown above the pages to everybody who is signed in, until they dismiss it, and where people sign in and register: anybody can read it there."
        className="w-full"
        {...(error !== undefined && { error })}
      >
        <TextInput
          ref={input}
          value={text}
          autoComplete="off"
          onChange={({ target }) => {
            form.type({ text: target.value })
            setError(undefined)
          }}
        />
      </Field>
      <div className="flex flex-wrap gap-2.5">
        <Button type="submit" busy={isSaving}>
          Save announcement
        </Button>
        {form.saved.value.text !== '' && (
          <Button
            variant="quiet"
            busy={isPending && !isSaving}
            disabled={isSaving}
            onClick={() => void remove()}
          >
            Remove announcement
          </Button>
        )}
      </div>
    </Form>
  )
}

/** The form of the terms and conditions. If the operator has set their URL, it is read-only. */
export function Terms({ termsFrom, version }: Pick<Instance, 'termsFrom'> & { version: number }) {
  const query = useQuery({ ...termsQuery, enabled: termsFrom === 'administrators' })
  const fetched = termsFrom === 'unset' ? versionedText(null, version) : query.data && versionOf(query.data)
  // The form keeps its text while the first terms of another administrator are fetched.
  const [before, setBefore] = useState(fetched)
  if (fetched && fetched.version !== before?.version) setBefore(fetched)
  const saved = fetched ?? before
  if (termsFrom === 'settings')
    return (
      <Banner tone="info">
        The setting TERMS_URL of this server says where the terms are. It can be changed where the server
        runs.
      </Banner>
    )
  if (saved) return <TermsForm saved={saved} />
  if (query.isError)
    return (
      <FetchFailed
        title="The terms could not be fetched"
        busy={query.isFetching}
        onRetry={() => void query.refetch()}
      />
    )
  return <Skeleton className="h-40 rounded-md" />
}

function TermsForm({ saved: fetched }: { saved: Versioned<z.infer<typeof schema>> }) {
  const { mutateAsync, isPending, variables } = useUpdateTerms()
  const form = useVersionedDraft({ name: formNames.terms(), schema, versionOf }, fetched)
  const { text } = form.typed
  const exists = form.saved.value.text !== ''
  const [error, setError] = useState<string>()
  const [isAsking, setAsking] = useState(false)
  const area = useRef<HTMLTextAreaElement>(null)
  const isSaving = isPending && variables.text !== null

  const change = (text: string | null) =>
    form.save({ text: text ?? '' }, (version) => mutateAsync({ text, version }))

  function save() {
    const parsed = termsFields.safeParse({ text })
    if (!parsed.success) return setError(parsed.error.issues[0]?.message)
    void change(parsed.data.text)
  }

  async function remove() {
    setAsking(false)
    if (await change(null)) area.current?.focus() // the focused button was removed
  }

  return (
    <Form onSubmit={() => !isPending && save()}>
      <Notices form={form} label="Terms and conditions" />
      <Field
        label="Terms and conditions"
        className="w-full"
        {...(error !== undefined && { error })}
        hint={
          <>
            Markdown, as in entries. Anybody can read them at <TermsLink exists={exists} />; the registration
            form and the about page link to them.
          </>
        }
      >
        <TextArea
          ref={area}
          value={text}
          className="max-h-96 min-h-40 font-mono"
          onChange={({ target }) => {
            form.type({ text: target.value })
            setError(undefined)
          }}
        />
      </Field>
      <div className="flex flex-wrap gap-2.5">
        <Button type="submit" busy={isSaving}>
          Save terms
        </Button>
        {exists && (
          <Button
            variant="quiet"
            busy={isPending && !isSaving}
            disabled={isSaving}
            {...LazyConfirmDialog.preloadProps}
            onClick={() => setAsking(true)}
          >
            Remove terms
          </Button>
        )}
      </div>
      {isAsking && (
        <LazyConfirmDialog
          question="Remove the terms?"
          detail="Their text is deleted. The registration form and the about page then link to no terms."
          verb="Remove"
          onConfirm={() => void remove()}
          onClose={() => setAsking(false)}
        />
      )}
    </Form>
  )
}

type NoticesProps = {
  form: ReturnType<typeof useVersionedDraft<z.infer<typeof schema>>>
  label: string
}

/** The notices above the form: a restored draft, or a conflict with a version that was saved elsewhere. */
function Notices({ form: { isRestored, discard, conflict, type }, label }: NoticesProps) {
  if (conflict)
    return (
      <ElsewhereBanner
        fields={[
          {
            label,
            saved: conflict.theirs.text || 'Nothing: it was removed.',
            onUse: () => type(conflict.theirs),
          },
        ]}
      />
    )
  return <RestoredBanner isRestored={isRestored} onDiscard={discard} />
}

function TermsLink({ exists }: { exists: boolean }) {
  if (!exists) return '/terms'
  return (
    <Link to="/terms" className="font-semibold text-accent underline underline-offset-4">
      /terms
    </Link>
  )
}

function Form({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) {
  const { form, focusOnceRendered } = useRefusedFocus()
  return (
    <form
      ref={form}
      method="post"
      noValidate
      className="flex flex-col items-start gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
        focusOnceRendered()
      }}
    >
      {children}
    </form>
  )
}
