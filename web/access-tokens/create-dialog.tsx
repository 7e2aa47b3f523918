import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { accessTokenFields, TOKEN_LIFETIMES, TOKEN_NAME_MAX } from '#contract/access-tokens.ts'
import { SCOPES } from '#contract/call.ts'
import { ApiError } from '#web/api/api-error.ts'
import { RestoredBanner } from '#web/forms/banners.tsx'
import { formNames } from '#web/forms/form-drafts.ts'
import { useFormDraftState } from '#web/forms/use-form-draft-state.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { Checkbox, Field, Problem, Select } from '#web/ui/controls/field.tsx'
import { TextInput } from '#web/ui/controls/text-input.tsx'
import { TryAgain } from '#web/ui/controls/try-again.tsx'
import { Dialog, DialogBody, DialogFooter } from '#web/ui/dialogs/dialog.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { memberProjectsQuery, useCreateAccessToken } from './queries.ts'
import { scopeTexts } from './scopes.tsx'

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
  const { create, isPending } = creation
  const { typed, type, end, discard, isRestored } = useFormDraftState(
    formNames.accessToken(),
    typedFields,
    blank,
  )
  const [problems, setProblems] = useState<Problems>({})
  const [failure, setFailure] = useState<string>()

  function change(next: Partial<Typed>) {
    type({ ...typed, ...next })
    setProblems({})
    setFailure(undefined)
  }

  async function submit() {
    const parsed = accessTokenFields.safeParse(typed)
    if (!parsed.success) return setProblems(problemsOf(parsed.error.issues))
    try {
      const created = await create(parsed.data)
      if (!created) return
      end(typed, blank)
      onCreated(created.token)
    } catch (error) {
      const found = error instanceof ApiError && error.issues ? problemsOf(error.issues) : {}
      setProblems(found)
      if (Object.keys(found).length === 0)
        setFailure(error instanceof ApiError ? error.message : 'The token could not be created.')
    }
  }

  return (
    <form
      method="post"
      noValidate
      className="flex flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isPending) void submit()
      }}
    >
      <DialogBody>
        {isRestored && !failure && <RestoredBanner onDiscard={discard} />}
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
    </form>
  )
}

function problemsOf(issues: readonly { path: string | PropertyKey[]; message: string }[]): Problems {
  const problems: Problems = {}
  for (const { path, message } of issues) {
    const field = String(typeof path === 'string' ? path.split('.')[0] : path[0])
    if (field in blank) problems[field as keyof Typed] ??= message
  }
  return problems
}

type ChoiceProps<Value> = {
  chosen: Value
  problem: string | undefined
  onChange: (chosen: Value) => void
}

const legendClass = 'mb-1 text-sm font-semibold'

function Scopes({ chosen, problem, onChange }: ChoiceProps<Typed['scopes']>) {
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className={legendClass}>Permissions</legend>
      {SCOPES.map((scope) => (
        <Checkbox
          key={scope}
          {...scopeTexts[scope]}
          checked={chosen.includes(scope)}
          onChange={({ target }) =>
            onChange(SCOPES.filter((one) => (one === scope ? target.checked : chosen.includes(one))))
          }
        />
      ))}
      <Problem text={problem} />
    </fieldset>
  )
}

function Projects({ chosen, problem, onChange }: ChoiceProps<Typed['projects']>) {
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className={legendClass}>Projects</legend>
      <Checkbox
        label="All your projects, including future ones"
        checked={chosen === null}
        onChange={({ target }) => onChange(target.checked ? null : [])}
      />
      {chosen !== null && <ProjectList chosen={chosen} onChange={onChange} />}
      <Problem text={problem} />
    </fieldset>
  )
}

function ProjectList({ chosen, onChange }: { chosen: string[]; onChange: (chosen: string[]) => void }) {
  const { data, isError, refetch } = useQuery(memberProjectsQuery)
  if (!data && isError)
    return (
      <p className="flex flex-wrap items-center gap-3 text-sm text-muted">
        Your projects could not be fetched.
        <TryAgain size="sm" onClick={() => void refetch()} />
      </p>
    )
  if (!data) return <p className="text-sm text-muted">Loading your projects…</p>
  if (data.length === 0) return <p className="text-sm text-muted">You have no projects yet.</p>
  return (
    <div className="flex max-h-48 flex-col overflow-y-auto rounded-md border border-line px-3 py-1.5">
      {data.map(({ _id, title }) => (
        <Checkbox
          key={_id}
          label={<bdi className="break-words">{title}</bdi>}
          checked={chosen.includes(_id)}
          onChange={({ target }) =>
            onChange(target.checked ? [...chosen, _id] : chosen.filter((one) => one !== _id))
          }
        />
      ))}
    </div>
  )
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
