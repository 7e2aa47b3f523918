import { useId } from 'react'
import { z } from 'zod'
import type { Instance } from '#contract/administration.ts'
import { type RegistrationMode, registrationMode } from '#contract/identity.ts'
import { ApiError } from '#web/api/api-error.ts'
import { RestoredBanner } from '#web/forms/form-dialog.tsx'
import { formNames } from '#web/forms/form-names.ts'
import { useKept } from '#web/forms/use-kept.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Field } from '#web/ui/controls/field.tsx'
import { TextInput } from '#web/ui/controls/text-input.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Card } from '#web/ui/layout/page.tsx'
import { useUpdateRegistration } from './mutations.ts'

const modes: { mode: RegistrationMode; label: string; hint: string }[] = [
  { mode: 'open', label: 'Open', hint: 'Whoever reaches this server can make an account.' },
  {
    mode: 'approval',
    label: 'By approval',
    hint: 'Anybody can ask for an account; an administrator approves it before it can be used.',
  },
  { mode: 'invitation', label: 'By invitation', hint: 'Only whoever an administrator invites.' },
  { mode: 'closed', label: 'Closed', hint: 'Nobody makes an account.' },
]

/** Asked once, until an administrator has chosen. */
export function FirstQuestion() {
  const { mutate, isPending } = useUpdateRegistration()
  const id = useId()
  return (
    <Card aria-labelledby={id} className="border-accent/40 p-5 sm:p-6">
      <h2 id={id} className="text-lg font-semibold tracking-tight">
        Shall registration stay open?
      </h2>
      <p className="mt-1 text-muted">
        Whoever reaches this server can make an account on it. That is how it starts; you can keep it so, or
        choose something else under “Registration” below.
      </p>
      <Button
        variant="primary"
        className="mt-5"
        busy={isPending}
        onClick={() => mutate({ mode: 'open', domains: [] })}
      >
        Keep it open
      </Button>
    </Card>
  )
}

const typedFields = z.object({ mode: registrationMode, domains: z.string() })

/** Who may make an account. The operator's setting shows, and cannot be changed here. */
export function RegistrationForm({ registration }: { registration: Instance['registration'] }) {
  const isSet = registration.from === 'settings'
  const { mutateAsync, isPending, error } = useUpdateRegistration()
  const saved = { mode: registration.mode, domains: registration.domains.join(', ') }
  const { typed, type, end, discard, isRestored } = useKept(formNames.registration(), typedFields, saved)
  const { mode, domains } = typed
  const isDomainsUsed = mode === 'open' || mode === 'approval'
  const name = useId()

  // mutateAsync, because callbacks of mutate do not run once the form is replaced. A toast has reported a failure.
  function save() {
    mutateAsync({ mode, domains: domains.split(/[\s,;]+/).filter(Boolean) }).then(
      () => end(typed, typed),
      () => undefined,
    )
  }

  return (
    <form
      method="post"
      noValidate
      className="flex flex-col items-start gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isPending) save()
      }}
    >
      {isSet && (
        <Banner tone="info" className="w-full">
          The setting REGISTRATION of this server decides this. It can be changed where the server runs.
        </Banner>
      )}
      {isRestored && <RestoredBanner onDiscard={discard} />}
      <fieldset disabled={isSet} className="flex w-full flex-col gap-3">
        <legend className="mb-3 text-sm font-semibold">Who may make an account</legend>
        {modes.map((choice) => (
          <div key={choice.mode} className="text-sm">
            <label className="inline-flex cursor-pointer items-start gap-2.5 py-1 has-disabled:cursor-default">
              <input
                type="radio"
                name={name}
                className="mt-0.5 size-4 accent-accent"
                checked={mode === choice.mode}
                aria-describedby={`${name}-${choice.mode}`}
                onChange={() => type({ ...typed, mode: choice.mode })}
              />
              <span className="font-medium">{choice.label}</span>
            </label>
            <p id={`${name}-${choice.mode}`} className="pl-6.5 text-muted">
              {choice.hint}
            </p>
          </div>
        ))}
      </fieldset>
      <p className="text-sm text-muted">
        Whoever is invited to a project gets in by the link of that invitation, whatever you choose.
      </p>
      {isDomainsUsed && (
        <Field
          label="Allowed email domains"
          hint="Such as example.org, example.com. Empty: every address. It is compared with what people type; only a confirmed address is proof."
          className="w-full"
          {...(error instanceof ApiError && error.status === 400 && { error: error.message })}
        >
          <TextInput
            value={domains}
            autoCapitalize="none"
            spellCheck={false}
            onChange={({ target }) => type({ ...typed, domains: target.value })}
          />
        </Field>
      )}
      {!(isSet && !isDomainsUsed) && (
        <Button type="submit" busy={isPending}>
          Save registration
        </Button>
      )}
    </form>
  )
}
