import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { Link } from 'react-router'
import { z } from 'zod'
import { announcementFields, type Instance, termsFields } from '#contract/administration.ts'
import { RestoredBanner } from '#web/forms/form-dialog.tsx'
import { formNames } from '#web/forms/form-names.ts'
import { useKept } from '#web/forms/use-kept.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Field, TextArea } from '#web/ui/controls/field.tsx'
import { TextInput } from '#web/ui/controls/text-input.tsx'
import { LazyConfirmDialog } from '#web/ui/dialogs/on-demand.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { FetchFailed } from '#web/ui/feedback/empty-state.tsx'
import { Skeleton } from '#web/ui/feedback/loading.tsx'
import { useUpdateAnnouncement, useUpdateTerms } from './mutations.ts'
import { termsQuery } from './queries.ts'

/** One line above the pages. */
export function AnnouncementForm({ announcement }: Pick<Instance, 'announcement'>) {
  const { mutateAsync, isPending, variables } = useUpdateAnnouncement()
  const kept = useKept(formNames.announcement(), z.string(), announcement ?? '')
  const { typed: text, type, end, discard, isRestored } = kept
  const [error, setError] = useState<string>()
  const input = useRef<HTMLInputElement>(null)

  function save() {
    const parsed = announcementFields.safeParse({ text })
    if (!parsed.success) return setError(parsed.error.issues[0]?.message)
    mutateAsync(parsed.data.text).then(
      (instance) => end(text, instance.announcement ?? ''),
      () => undefined, // a toast has said why
    )
  }

  async function remove() {
    const removed = await mutateAsync(null).catch(() => null) // a toast has said why
    if (!removed) return
    end(text, '')
    input.current?.focus() // the button that had it is gone
  }

  return (
    <Form onSubmit={() => !isPending && save()}>
      {isRestored && <RestoredBanner onDiscard={discard} />}
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
            type(target.value)
            setError(undefined)
          }}
        />
      </Field>
      <div className="flex flex-wrap gap-2.5">
        <Button type="submit" busy={isPending && variables !== null}>
          Save announcement
        </Button>
        {announcement !== null && (
          <Button variant="quiet" busy={isPending && variables === null} onClick={() => void remove()}>
            Remove announcement
          </Button>
        )}
      </div>
    </Form>
  )
}

/** The terms and conditions; the operator's setting shows, and cannot be changed here. */
export function Terms({ termsFrom }: Pick<Instance, 'termsFrom'>) {
  const query = useQuery({ ...termsQuery, enabled: termsFrom === 'administrators' })
  if (termsFrom === 'settings')
    return (
      <Banner tone="info">
        The setting TERMS_URL of this server says where the terms are. It can be changed where the server
        runs.
      </Banner>
    )
  const saved = termsFrom === 'administrators' ? query.data?.text : ''
  if (saved !== undefined) return <TermsForm saved={saved} />
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

function TermsForm({ saved }: { saved: string }) {
  const { mutateAsync, isPending, variables } = useUpdateTerms()
  const { typed: text, type, end, discard, isRestored } = useKept(formNames.terms(), z.string(), saved)
  const [error, setError] = useState<string>()
  const [isAsking, setAsking] = useState(false)
  const area = useRef<HTMLTextAreaElement>(null)

  function save() {
    const parsed = termsFields.safeParse({ text })
    if (!parsed.success) return setError(parsed.error.issues[0]?.message)
    mutateAsync(parsed.data.text).then(
      () => end(text, text),
      () => undefined, // a toast has said why
    )
  }

  async function remove() {
    setAsking(false)
    const removed = await mutateAsync(null).catch(() => null) // a toast has said why
    if (!removed) return
    end(text, '')
    area.current?.focus() // the button that had it is gone
  }

  return (
    <Form onSubmit={() => !isPending && save()}>
      {isRestored && <RestoredBanner onDiscard={discard} />}
      <Field
        label="Terms and conditions"
        className="w-full"
        {...(error !== undefined && { error })}
        hint={
          <>
            Markdown, as in entries. Anybody can read them at <TermsLink isThere={saved !== ''} />;
            registering and the about page lead there.
          </>
        }
      >
        <TextArea
          ref={area}
          value={text}
          className="max-h-96 min-h-40 font-mono"
          onChange={({ target }) => {
            type(target.value)
            setError(undefined)
          }}
        />
      </Field>
      <div className="flex flex-wrap gap-2.5">
        <Button type="submit" busy={isPending && variables !== null}>
          Save terms
        </Button>
        {saved !== '' && (
          <Button
            variant="quiet"
            busy={isPending && variables === null}
            {...LazyConfirmDialog.near}
            onClick={() => setAsking(true)}
          >
            Remove terms
          </Button>
        )}
      </div>
      {isAsking && (
        <LazyConfirmDialog
          question="Remove the terms?"
          detail="Their text is deleted. Registering and the about page then lead to none."
          verb="Remove"
          onConfirm={() => void remove()}
          onClose={() => setAsking(false)}
        />
      )}
    </Form>
  )
}

function TermsLink({ isThere }: { isThere: boolean }) {
  if (!isThere) return '/terms'
  return (
    <Link to="/terms" className="font-semibold text-accent underline underline-offset-4">
      /terms
    </Link>
  )
}

function Form({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) {
  return (
    <form
      method="post"
      noValidate
      className="flex flex-col items-start gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
    </form>
  )
}
