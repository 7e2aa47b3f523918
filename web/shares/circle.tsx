import { useQuery } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { EMAIL_MAX } from '#contract/email.ts'
import {
  CIRCLE_MAX,
  LINK_NAME_MAX,
  type ShareLink,
  type ShareLinkFields,
  shareLinkFields,
} from '#contract/shares.ts'
import { ApiError } from '#web/api/api-error.ts'
import { useServerOptions } from '#web/api/server-options.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Field } from '#web/ui/controls/field.tsx'
import { intoView } from '#web/ui/controls/into-view.ts'
import { TextInput } from '#web/ui/controls/text-input.tsx'
import { ConfirmButton } from '#web/ui/dialogs/confirm-button.tsx'
import { PlannedDay } from '#web/ui/layout/time.tsx'
import { shareLinksQuery, useCreateShareLink, useRenewShareLink, useRevokeShareLink } from './queries.ts'
import { RenewButton } from './renew-button.tsx'
import { Address, type ShownAddress } from './shown-address.tsx'

/** The part of the share dialog with the people who follow a project without an account, each with a link of their own. */
export function Circle({ projectId }: { projectId: string }) {
  const [isAdding, setAdding] = useState(false)
  const [address, setAddress] = useState<ShownAddress>()
  const { data: links = [] } = useQuery(shareLinksQuery(projectId))
  const people = links.filter(({ person }) => person !== null)
  const creation = useCreateShareLink(projectId)

  async function add(fields: ShareLinkFields) {
    const { link, url } = await creation.mutateAsync(fields)
    setAdding(false)
    if (url !== undefined) setAddress({ linkId: link._id, name: link.name, url })
  }

  return (
    <section aria-labelledby="circle" className="border-t border-line pt-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h3 id="circle" className="text-sm font-semibold">
          Circle
        </h3>
        {!isAdding && (
          <Button
            size="sm"
            icon={<UserPlus />}
            disabled={people.length >= CIRCLE_MAX}
            onClick={() => {
              setAddress(undefined)
              setAdding(true)
            }}
          >
            Add person
          </Button>
        )}
      </div>
      <p className="mt-1 text-sm text-muted">
        People who follow the project without an account, also while it is private. Each has a link of their
        own, so that you can let go of one alone.
      </p>
      <div className="mt-3 flex flex-col gap-3 empty:hidden">
        {isAdding && (
          <PersonForm busy={creation.isPending} onSubmit={add} onCancel={() => setAdding(false)} />
        )}
        {address && <Address key={address.url} {...address} />}
        {people.length > 0 && (
          <ul aria-label="Circle" className="divide-y divide-line border-t border-line">
            {people.map((link) => (
              <PersonRow key={link._id} projectId={projectId} link={link} onAddress={setAddress} />
            ))}
          </ul>
        )}
      </div>
    </section>
  )
}

type PersonFormProps = {
  busy: boolean
  /** Sends the fields. The form shows what it throws. */
  onSubmit: (fields: ShareLinkFields) => Promise<void>
  onCancel: () => void
}

function PersonForm({ busy, onSubmit, onCancel }: PersonFormProps) {
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [errors, setErrors] = useState<{ [path: string]: string }>({})
  const sendsMail = useServerOptions()?.identity.sendsMail ?? false

  async function submit() {
    const parsed = shareLinkFields.safeParse({
      name,
      person: email.trim() === '' ? {} : { email },
    })
    if (!parsed.success)
      return setErrors(
        Object.fromEntries(parsed.error.issues.map(({ path, message }) => [path.at(-1), message])),
      )
    setErrors({})
    try {
      await onSubmit(parsed.data)
    } catch (error) {
      const message = error instanceof ApiError ? error.message : 'That did not work. Please try again.'
      setErrors({ name: message })
    }
  }

  return (
    <form
      ref={intoView}
      method="post"
      noValidate
      aria-label="New person of the circle"
      className="flex scroll-mb-20 flex-col gap-4 rounded-lg border border-line bg-sunken p-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) void submit()
      }}
    >
      <Field label="Name" hint="Only you and the other admins see it." error={errors.name}>
        <TextInput
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form opens on request
          autoFocus
          maxLength={LINK_NAME_MAX}
          placeholder="Grandma"
          autoComplete="off"
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
      </Field>
      {sendsMail && (
        <Field
          label="Email (optional)"
          hint="They are sent the link, and asked whether they want an email when something is new."
          error={errors.email}
        >
          <TextInput
            type="email"
            maxLength={EMAIL_MAX}
            autoComplete="off"
            value={email}
            onChange={({ target }) => setEmail(target.value)}
          />
        </Field>
      )}
      <div className="flex flex-wrap justify-end gap-2.5 max-sm:*:flex-1">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" busy={busy}>
          Add to circle
        </Button>
      </div>
    </form>
  )
}

type PersonRowProps = {
  projectId: string
  link: ShareLink
  onAddress: (shown: ShownAddress | undefined) => void
}

/** A person with when they last read, whether they get emails, and what can be done. */
function PersonRow({ projectId, link, onAddress }: PersonRowProps) {
  const { name, lastUsedOn, person } = link
  const renewal = useRenewShareLink(projectId, link)
  const removal = useRevokeShareLink(projectId, link, () => onAddress(undefined))
  return (
    <li className="flex flex-col gap-1 py-3">
      <div className="min-w-0">
        <bdi className="block truncate font-medium">{name}</bdi>
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-sm text-muted">
          {person?.email && (
            <span className="min-w-0 truncate">
              <bdi>{person.email}</bdi>
            </span>
          )}
          {person?.email && <span>{person.isConfirmed ? 'Gets emails' : 'Asked about emails'}</span>}
          <span>
            {lastUsedOn === null ? (
              'Has not read yet'
            ) : (
              <>
                Last read <PlannedDay on={lastUsedOn} />
              </>
            )}
          </span>
        </p>
      </div>
      <div className="-mx-3 flex flex-wrap">
        <RenewButton
          name={name}
          renewal={renewal}
          onAddress={onAddress}
          question={`Give ${name} a new address?`}
          detail="The former address ends at once, also those in emails that were sent."
        />
        <ConfirmButton
          size="sm"
          variant="quiet"
          aria-label={`Let go of ${name}`}
          busy={removal.isPending}
          question={`Let go of ${name}?`}
          detail="They can read nothing any more, pictures included, and get no emails. Their email address is removed."
          verb="Let go"
          onConfirm={() => removal.mutate()}
        />
      </div>
    </li>
  )
}
