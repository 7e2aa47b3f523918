import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { accessTokenFields, TOKEN_LIFETIMES, TOKEN_NAME_MAX } from '#contract/access-tokens.ts'
import { SCOPES } from '#contract/parts/call.ts'
import { ApiError } from '#web/api/api-error.ts'
import { RestoredBanner } from '#web/forms/banners.tsx'
import { formNames } from '#web/forms/form-names.ts'
import { useFormDraftState } from '#web/forms/use-form-draft-state.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { Field, Select } from '#web/ui/controls/field.tsx'
import { TextInput } from '#web/ui/controls/text-input.tsx'
import { Dialog, DialogBody, DialogFooter } from '#web/ui/dialogs/dialog.tsx'
import { DialogForm } from '#web/ui/dialogs/dialog-form.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Projects, Scopes } from './grant-fields.tsx'
import { memberProjectsQuery, useCreateAccessToken } from './queries.ts'

const typedFields = z.object({
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  projects: z.array(z.string()).nullable(),
  days: z.literal([...TOKEN_LIFETIMES]),
})
type Typed = z.infer<typeof typedFields>

const blank: Typed = { name: '', scopes: ['read'], projects: null, days: 90 }

const lifetimes = TOKEN_LIFETIMES.map((days) => ({
  value: String(days),
  label: days === null ? 'Does not expire' : days === 365 ? 'One year' : `${days} days`,
}))

/** Creates an access token and shows it, once. */
export function CreateDialog({ onClose }: { onClose: () => void }) {
  const [token, setToken] = useState<string>()
  const creation = useCreateAccessToken()

  /** Does not close while the token is being created, because the token is shown only here. Returns whether it closed. */
  function close(): boolean {
    if (!creation.isPending) onClose()
    return !creation.isPending
  }

  return (
    <Dialog open onOpenChange={(open) => !open && close()} onBack={close} title="New access token" sticky>
      {token === undefined ? (
        <CreateForm creation={creation} onCreated={setToken} onClose={close} />
      ) : (
        <CreatedToken token={token} onClose={onClose} />
      )}
    </Dialog>
  )
}

type Problems = { [field in keyof Typed]?: string }

type CreateFormProps = {
  creation: ReturnType<typeof useCreateAccessToken>
  onCreated: (token: string) => void
  onClose: () => void
}

/** The form is preserved until the token is created. */
function CreateForm({ creation, onCreated, onClose }: CreateFormProps) {
  const { typed, change, problems, failure, submit, discard, isRestored } = useCreation(
    creation.create,
    onCreated,
  )
  const { isPending } = creation
  return (
    <DialogForm busy={isPending} onSubmit={submit}>
      <DialogBody>
        <RestoredBanner isRestored={isRestored && !failure} onDiscard={discard} />
        {failure && (
          <Banner>
            <p>{failure}</p>
            <p>What you typed is still here.</p>
          </Banner>
        )}
        <Field
          label="Name"
          hint="What the token is for, so that you recognize it later."
          error={problems.name}
        >
          <TextInput
            autoComplete="off"
            maxLength={2 * TOKEN_NAME_MAX}
            value={typed.name}
            onChange={({ target }) => change({ name: target.value })}
          />
        </Field>
        <Scopes chosen={typed.scopes} problem={problems.scopes} onChange={(scopes) => change({ scopes })} />
        <Projects
          chosen={typed.projects}
          problem={problems.projects}
          onChange={(projects) => change({ projects })}
        />
        <Field label="Expires after" error={problems.days}>
          <Select
            options={lifetimes}
            value={String(typed.days)}
            onChange={({ target }) =>
              change({ days: TOKEN_LIFETIMES.find((days) => String(days) === target.value) ?? null })
            }
          />
        </Field>
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose} disabled={isPending}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" busy={isPending}>
          Create token
        </Button>
      </DialogFooter>
    </DialogForm>
  )
}

/** What is typed, and what is wrong with it. */
function useCreation(create: CreateFormProps['creation']['create'], onCreated: CreateFormProps['onCreated']) {
  const client = useQueryClient()
  const form = useFormDraftState(formNames.accessToken(), typedFields, blank)
  const { typed, discard, isRestored } = form
  const [problems, setProblems] = useState<Problems>({})
  const [failure, setFailure] = useState<string>()

  function change(next: Partial<Typed>) {
    form.type({ ...typed, ...next })
    setProblems({})
    setFailure(undefined)
  }

  /** The chosen projects that are listed: one that was deleted since cannot be unchecked. */
  function listedProjects(): string[] | null {
    const listed = client.getQueryData(memberProjectsQuery.queryKey)
    if (!typed.projects || !listed) return typed.projects
    return typed.projects.filter((chosen) => listed.some(({ _id }) => _id === chosen))
  }

  async function submit() {
    const parsed = accessTokenFields.safeParse({ ...typed, projects: listedProjects() })
    if (!parsed.success) return setProblems(problemsOf(parsed.error.issues))
    try {
      const created = await create(parsed.data)
      if (created?.token === undefined) return
      form.end(typed, blank)
      onCreated(created.token)
    } catch (error) {
      const found = error instanceof ApiError && error.issues ? problemsOf(error.issues) : {}
      setProblems(found)
      if (Object.keys(found).length === 0)
        setFailure(error instanceof ApiError ? error.message : 'The token could not be created.')
    }
  }

  return { typed, change, problems, failure, submit, discard, isRestored }
}

function problemsOf(issues: readonly { path: string | PropertyKey[]; message: string }[]): Problems {
  const problems: Problems = {}
  for (const { path, message } of issues) {
    const field = String(typeof path === 'string' ? path.split('.')[0] : path[0])
    if (field in blank) problems[field as keyof Typed] ??= message
  }
  return problems
}

function CreatedToken({ token, onClose }: { token: string; onClose: () => void }) {
  return (
    <>
      <DialogBody>
        <p className="text-muted">
          Copy the token now: it is shown only this once. Keep it as you would a password.
        </p>
        <TextInput
          ref={(input) => input?.focus()}
          readOnly
          aria-label="Access token"
          className="font-mono"
          value={token}
          onFocus={({ target }) => target.select()}
        />
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose}>Close</Button>
        <CopyButton text={token} label="Copy token" size="md" variant="primary" />
      </DialogFooter>
    </>
  )
}
