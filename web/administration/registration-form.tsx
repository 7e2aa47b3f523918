import { useEffect, useId, useRef } from 'react'
import { z } from 'zod'
import { currentRegistration, type Instance, registrationFields } from '#contract/administration.ts'
import { type RegistrationMode, registrationMode } from '#contract/identity.ts'
import { ApiError, currentOf } from '#web/api/api-error.ts'
import { ElsewhereBanner, RestoredBanner } from '#web/forms/banners.tsx'
import { formNames } from '#web/forms/form-names.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Field } from '#web/ui/controls/field.tsx'
import { focusRefused } from '#web/ui/controls/refused-focus.ts'
import { TextInput } from '#web/ui/controls/text-input.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { Card } from '#web/ui/layout/page.tsx'
import { useUpdateRegistration } from './mutations.ts'
import { useVersionedDraft } from './use-versioned-draft.ts'

const modes: { mode: RegistrationMode; label: string; hint: string }[] = [
  { mode: 'open', label: 'Open', hint: 'Anybody who reaches this server can create an account.' },
  {
    mode: 'approval',
    label: 'By approval',
    hint: 'Anybody can ask for an account; an administrator approves it before it can be used.',
  },
  { mode: 'invitation', label: 'By invitation', hint: 'Only people whom an administrator invites.' },
  { mode: 'closed', label: 'Closed', hint: 'Nobody can create an account.' },
]

/** Shown until an administrator has chosen who may register. */
export function RegistrationPrompt({ version }: { version: number }) {
  const { mutateAsync, isPending } = useUpdateRegistration()
  const id = useId()

  function keepOpen() {
    mutateAsync({ mode: 'open', domains: [], version }).catch((error: unknown) => {
      if (currentOf(error) !== null) toast.error('Somebody has chosen meanwhile: see “Registration” below.')
    })
  }

  return (
    <Card aria-labelledby={id} className="border-accent/40 p-5 sm:p-6">
      <h2 id={id} className="text-lg font-semibold tracking-tight">
        Keep registration open?
      </h2>
      <p className="mt-1 text-muted">
        Anybody who reaches this server can create an account on it. That is the default. You can also choose
        something else under “Registration” below.
      </p>
      <Button variant="primary" className="mt-5" busy={isPending} onClick={keepOpen}>
        Keep it open
      </Button>
    </Card>
  )
}

const typedFields = z.object({ mode: registrationMode, domains: z.string() })

type Chosen = Pick<Instance['registration'], 'mode' | 'domains'>

const shownOf = ({ mode, domains }: Chosen) => ({ mode, domains: domains.join(', ') })

function versionOf(current: unknown) {
  const { version, ...chosen } = currentRegistration.parse(current)
  return { value: shownOf(chosen), version }
}

/** The form for who may register. If the operator has set it, the setting is read-only. */
export function RegistrationForm({
  registration,
  version,
}: {
  registration: Instance['registration']
  version: number
}) {
  const isSet = registration.from === 'settings'
  const { mutateAsync, isPending, error, reset } = useUpdateRegistration()
  const { typed, type, save, discard, isRestored, conflict } = useVersionedDraft(
    { name: formNames.registration(), schema: typedFields, versionOf },
    { value: shownOf(registration), version },
  )
  const { mode, domains } = typed
  const isDomainsUsed = mode === 'open' || mode === 'approval'
  const form = useRef<HTMLFormElement>(null)
  const refusal = error instanceof ApiError && error.status === 400 ? error : null

  useEffect(() => {
    if (refusal) focusRefused(form.current)
  }, [refusal])

  function choose() {
    const chosen = { mode, domains: domains.split(/[\s,;]+/).filter(Boolean) }
    const { data = chosen } = registrationFields.safeParse(chosen)
    void save(shownOf(data), (version) => mutateAsync({ ...data, version }))
  }

  return (
    <form
      ref={form}
      method="post"
      noValidate
      className="flex flex-col items-start gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isPending) choose()
      }}
    >
      {isSet && (
        <Banner tone="info" className="w-full">
          The setting REGISTRATION of this server decides this. It can be changed where the server runs.
        </Banner>
      )}
      <RestoredBanner isRestored={isRestored && !conflict} onDiscard={discard} />
      {conflict && <RegistrationConflict {...conflict} typed={typed} onUse={type} />}
      <ModeChoice mode={mode} disabled={isSet} onChange={(mode) => type({ ...typed, mode })} />
      <p className="text-sm text-muted">
        People who are invited to a project can always register through the link of that invitation.
      </p>
      {isDomainsUsed && (
        <Field
          label="Allowed email domains"
          hint="Such as example.org, example.com. Leave it empty to allow every address. The domain is compared with the address that people type, which proves nothing until they confirm it."
          className="w-full"
          {...(refusal && { error: refusal.message })}
        >
          <TextInput
            value={domains}
            autoCapitalize="none"
            spellCheck={false}
            onChange={({ target }) => {
              type({ ...typed, domains: target.value })
              if (error) reset()
            }}
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

type ModeChoiceProps = {
  mode: RegistrationMode
  disabled: boolean
  onChange: (mode: RegistrationMode) => void
}

function ModeChoice({ mode, disabled, onChange }: ModeChoiceProps) {
  const name = useId()
  return (
    <fieldset disabled={disabled} className="flex w-full flex-col gap-3 pointer-coarse:gap-1.5">
      <legend className="mb-3 text-sm font-semibold">Who can create an account</legend>
      {modes.map((choice) => (
        <div key={choice.mode} className="text-sm">
          <label className="inline-flex cursor-pointer items-start gap-2.5 py-1 has-disabled:cursor-default pointer-coarse:py-2.5">
            <input
              type="radio"
              name={name}
              className="mt-0.5 size-4 accent-accent"
              checked={mode === choice.mode}
              aria-describedby={`${name}-${choice.mode}`}
              onChange={() => onChange(choice.mode)}
            />
            <span className="font-medium">{choice.label}</span>
          </label>
          <p id={`${name}-${choice.mode}`} className="pl-6.5 text-muted pointer-coarse:-mt-1.5">
            {choice.hint}
          </p>
        </div>
      ))}
    </fieldset>
  )
}

type Typed = z.infer<typeof typedFields>

type RegistrationConflictProps = {
  theirs: Typed
  original: Typed
  typed: Typed
  onUse: (next: Typed) => void
}

function RegistrationConflict({ theirs, original, typed, onUse }: RegistrationConflictProps) {
  const labelOf = ({ mode }: Typed) => modes.find((choice) => choice.mode === mode)?.label ?? mode
  const fields = [
    { field: 'mode', label: 'Who can create an account', saved: labelOf(theirs) },
    { field: 'domains', label: 'Allowed email domains', saved: theirs.domains || 'Every address' },
  ] as const
  const changed = fields.filter(({ field }) => theirs[field] !== original[field])
  return (
    <ElsewhereBanner
      fields={changed.map(({ field, ...shown }) => ({
        ...shown,
        onUse: typed[field] === theirs[field] ? undefined : () => onUse({ ...typed, [field]: theirs[field] }),
      }))}
    />
  )
}
