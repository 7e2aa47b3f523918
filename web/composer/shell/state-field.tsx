import { use, useState } from 'react'
import { instantIn } from '#contract/parts/date-formats.ts'
import type { Visibility } from '#contract/projects.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Field } from '#web/ui/controls/field.tsx'
import { TextInput } from '#web/ui/controls/text-input.tsx'
import { zoneOf } from '#web/ui/layout/days.ts'
import { DateContext, Time } from '#web/ui/layout/time.tsx'
import type { DateAndState, StateChoice } from './date-and-state.ts'

/** Who sees a published entry. */
const readers: { [visibility in Visibility]: string } = {
  private: 'everyone who can see the project',
  unlisted: 'everyone with the link',
  public: 'everyone',
}

const capitalized = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

type StateFieldProps = Pick<DateAndState, 'state' | 'publishAt' | 'savingAs'> & {
  isNew: boolean
  /** Whether the person may unpublish the entry. */
  isMine: boolean
  visibility: Visibility
  /** Saves the entry with the other state. */
  onSaveAs: (choice: StateChoice) => void
  disabled: boolean
}

/** The state of the entry, and the button that saves it with the other state. */
export function StateField(props: StateFieldProps) {
  const { state, publishAt, isNew, isMine, visibility, onSaveAs, savingAs, disabled } = props
  // While the entry is being saved with another state, that is already shown.
  const isUnpublishing = !isNew && state !== 'scheduled' && savingAs === 'draft'
  const isUnpublished = (state === 'draft' && !isUnpublishing) || savingAs === 'published'
  const isScheduled = state === 'scheduled'
  const isPublished = !isNew && !isUnpublished && !isScheduled
  const saveAs = (next: 'draft' | 'published') => ({
    size: 'sm' as const,
    // The pressed button keeps the focus.
    busy: savingAs === next,
    disabled: disabled && savingAs !== next,
    onClick: () => onSaveAs({ state: next }),
  })
  return (
    <section aria-label="State" className="flex flex-col items-start gap-1.5 text-sm">
      <h3 className="font-semibold">State</h3>
      <p className="text-muted">
        {isScheduled && publishAt !== undefined ? (
          <>
            Scheduled for <Time iso={publishAt} format="datetime" />. Until then only you can see it.
          </>
        ) : isUnpublished ? (
          `Draft. Only you can see it.${visibility === 'private' ? '' : ` Once it is published, ${readers[visibility]} will.`}`
        ) : isNew ? (
          `${capitalized(readers[visibility])} will see it once it is created.`
        ) : (
          `Published. ${capitalized(readers[visibility])} can see it.`
        )}
      </p>
      {isPublished && isMine && <Button {...saveAs('draft')}>Unpublish</Button>}
      {(isNew || isScheduled) && (
        <Button {...saveAs('draft')}>{isScheduled ? 'Make it a draft' : 'Save as draft'}</Button>
      )}
      {(isUnpublished || isScheduled) && (
        <Button {...saveAs('published')}>{isScheduled ? 'Publish now' : 'Publish'}</Button>
      )}
      {(isNew || isUnpublished || isScheduled) && (
        <PublishLater
          isScheduled={isScheduled}
          busy={savingAs === 'scheduled'}
          disabled={disabled && savingAs !== 'scheduled'}
          onSchedule={(publishAt, publishZone) =>
            onSaveAs({ state: 'scheduled', publishAt: publishAt.toISOString(), publishZone })
          }
        />
      )}
    </section>
  )
}

type PublishLaterProps = {
  isScheduled: boolean
  busy: boolean
  disabled: boolean
  onSchedule: (publishAt: Date, zone: string) => void
}

/** Chooses when the entry publishes itself, in the time zone in which dates are shown to its writer. */
function PublishLater({ isScheduled, busy, disabled, onSchedule }: PublishLaterProps) {
  const zone = zoneOf(use(DateContext))
  const [isOpen, setOpen] = useState(false)
  const [time, setTime] = useState('')
  const [error, setError] = useState<string>()
  if (!isOpen)
    return (
      <Button size="sm" disabled={disabled} onClick={() => setOpen(true)}>
        {isScheduled ? 'Change the time' : 'Set a time'}
      </Button>
    )
  return (
    <div className="mt-2 flex w-full flex-col items-start gap-2">
      <Field label="Publish at" hint={zone} className="w-full" {...(error && { error })}>
        <TextInput
          type="datetime-local"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the button that opened the field is gone
          autoFocus
          value={time}
          onChange={({ target }) => {
            setTime(target.value)
            setError(undefined)
          }}
        />
      </Field>
      <Button
        size="sm"
        variant="primary"
        busy={busy}
        disabled={disabled}
        onClick={() => {
          const publishAt = instantIn(zone, time)
          if (Number.isNaN(publishAt.getTime())) setError('Choose a day and a time')
          else onSchedule(publishAt, zone)
        }}
      >
        Schedule
      </Button>
    </div>
  )
}
