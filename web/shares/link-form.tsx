import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { DAY_MS } from '#contract/parts/durations.ts'
import { LINK_NAME_MAX, type ShareLink, type ShareLinkFields, shareLinkFields } from '#contract/shares.ts'
import { ApiError } from '#web/api/api-error.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Checkbox, Field, PasswordInput, Select } from '#web/ui/controls/field.tsx'
import { intoView } from '#web/ui/controls/into-view.ts'
import { TextInput } from '#web/ui/controls/text-input.tsx'
import { Time, useNow } from '#web/ui/layout/time.tsx'
import { linkableEntriesQuery } from './queries.ts'

const shown = [
  { value: 'project', label: 'The whole project' },
  { value: 'fromDay', label: 'What happened from a day on' },
  { value: 'fromEntry', label: 'What happened from an entry on' },
  { value: 'entry', label: 'One entry alone' },
] as const
type Shown = (typeof shown)[number]['value']

const ends = [
  { value: 'never', label: 'Does not end' },
  { value: '7', label: 'Ends in a week' },
  { value: '30', label: 'Ends in 30 days' },
  { value: '365', label: 'Ends in a year' },
] as const

type LinkFormProps = {
  projectId: string
  /** The link that is changed; a new one if undefined. */
  link?: ShareLink
  busy: boolean
  /** Sends the fields. The form shows what it throws. */
  onSubmit: (fields: ShareLinkFields) => Promise<void>
  onCancel: () => void
}

/** The form of a share link. What a link shows is chosen once. */
export function LinkForm({ projectId, link, busy, onSubmit, onCancel }: LinkFormProps) {
  const { typed, type, errors, submit } = useLinkForm(link, onSubmit)
  const { shows } = typed
  return (
    <form
      ref={intoView}
      method="post"
      noValidate
      aria-label={link ? `Change ${link.name}` : 'New private link'}
      className="flex scroll-mb-20 flex-col gap-4 rounded-lg border border-line bg-sunken p-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) void submit()
      }}
    >
      <Field label="For whom" hint="Only you and the other admins see this name." error={errors.name}>
        <TextInput
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form opens on request
          autoFocus
          maxLength={LINK_NAME_MAX}
          placeholder="Grandma, or the club"
          autoComplete="off"
          value={typed.name}
          onChange={({ target }) => type({ name: target.value })}
        />
      </Field>
      {!link && (
        <Field label="It shows">
          <Select
            options={shown}
            value={shows}
            onChange={({ target }) => type({ shows: target.value as Shown })}
          />
        </Field>
      )}
      {shows === 'fromDay' && (
        <Field label="First day" error={errors.fromDay}>
          <TextInput type="date" value={typed.day} onChange={({ target }) => type({ day: target.value })} />
        </Field>
      )}
      {(shows === 'entry' || shows === 'fromEntry') && (
        <EntryChoice
          projectId={projectId}
          label={shows === 'entry' ? 'Entry' : 'First entry'}
          error={errors.entry ?? errors.fromEntry}
          value={typed.entry}
          onChange={(entry) => type({ entry })}
        />
      )}
      <Access link={link} typed={typed} type={type} errors={errors} />
      <Buttons>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" busy={busy}>
          {link ? 'Save link' : 'Create link'}
        </Button>
      </Buttons>
    </form>
  )
}

type Errors = { [path: string]: string }

/** What is typed into the form, and its errors, those of the server included. */
function useLinkForm(link: ShareLink | undefined, onSubmit: LinkFormProps['onSubmit']) {
  const [typed, setTyped] = useState({
    name: link?.name ?? '',
    shows: 'project' as Shown,
    day: '',
    entry: '',
    end: link?.expiresAt ? 'unchanged' : 'never',
    password: '',
    removesPassword: false,
  })
  const [errors, setErrors] = useState<Errors>({})

  async function submit() {
    const parsed = shareLinkFields.safeParse(fieldsOf(typed))
    if (!parsed.success) return setErrors(byPath(parsed.error.issues))
    setErrors({})
    try {
      await onSubmit(parsed.data)
    } catch (error) {
      const message = error instanceof ApiError ? error.message : 'That did not work. Please try again.'
      setErrors({ name: message })
    }
  }

  const type = (change: Partial<typeof typed>) => setTyped((before) => ({ ...before, ...change }))
  return { typed, type, errors, submit }
}

type LinkState = ReturnType<typeof useLinkForm>

const fieldsOf = ({ name, shows, day, entry, end, password, removesPassword }: LinkState['typed']) => ({
  name,
  ...(shows === 'fromDay' && { fromDay: day }),
  ...(shows === 'fromEntry' && { fromEntry: entry }),
  ...(shows === 'entry' && { entry }),
  ...(end !== 'unchanged' && { expiresAt: endOf(end) }),
  ...(removesPassword ? { password: null } : password !== '' && { password }),
})

type AccessProps = Omit<LinkState, 'submit'> & { link: ShareLink | undefined }

/** Until when the link opens, and with which password. */
function Access({ link, typed: { end, password, removesPassword }, type, errors }: AccessProps) {
  return (
    <>
      <Field
        label="End"
        error={errors.expiresAt}
        hint={link?.expiresAt && <EndHint expiresAt={link.expiresAt} />}
      >
        <Select
          options={link?.expiresAt ? [{ value: 'unchanged', label: 'As it is' }, ...ends] : ends}
          value={end}
          onChange={({ target }) => type({ end: target.value })}
        />
      </Field>
      {!removesPassword && (
        <Field
          label={link?.hasPassword ? 'New password (optional)' : 'Password (optional)'}
          hint="Send it another way than the link."
          error={errors.password}
        >
          <PasswordInput
            autoComplete="new-password"
            value={password}
            onChange={({ target }) => type({ password: target.value })}
          />
        </Field>
      )}
      {link?.hasPassword && (
        <Checkbox
          label="Remove the password"
          checked={removesPassword}
          onChange={({ target }) => type({ removesPassword: target.checked })}
        />
      )}
    </>
  )
}

const Buttons = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap justify-end gap-2.5 max-sm:*:flex-1">{children}</div>
)

function EndHint({ expiresAt }: { expiresAt: string }) {
  const hasEnded = Date.parse(expiresAt) <= useNow()
  return (
    <>
      {hasEnded ? 'Ended' : 'Ends'} <Time iso={expiresAt} format="datetime" />. Its address stays the same.
    </>
  )
}

/** Returns the end of a link; null if it does not end. */
const endOf = (days: string) =>
  days === 'never' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString()

const byPath = (issues: readonly { path: PropertyKey[]; message: string }[]) =>
  Object.fromEntries(
    issues.map(({ path, message }) => {
      const name = String(path[0])
      return [name, name === 'entry' || name === 'fromEntry' ? 'Choose an entry' : nameless(message)]
    }),
  )

/** The field is labelled otherwise than in the API. */
const nameless = (message: string) =>
  message === 'Name is required' ? 'Say for whom the link is' : message.replace(/^fromDay must be/, 'Choose')

type EntryChoiceProps = {
  projectId: string
  label: string
  error: string | undefined
  value: string
  onChange: (entryId: string) => void
}

/** Chooses one of the newest published entries, or of those that a search finds. */
function EntryChoice({ projectId, label, error, value, onChange }: EntryChoiceProps) {
  const [search, setSearch] = useState('')
  const { data = [] } = useQuery(linkableEntriesQuery(projectId, search.trim()))
  const options = data.map(({ _id, title, happenedOn }) => ({
    value: _id,
    label: `${title} (${happenedOn})`,
  }))
  return (
    <div className="grid gap-2.5 sm:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
      <Field label="Find an entry">
        <TextInput type="search" value={search} onChange={({ target }) => setSearch(target.value)} />
      </Field>
      <Field label={label} {...(error !== undefined && { error })}>
        <Select
          options={[{ value: '', label: options.length > 0 ? 'Choose…' : 'No entry found' }, ...options]}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      </Field>
    </div>
  )
}
