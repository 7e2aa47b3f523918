import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import { type ReactNode, use, useDeferredValue, useId, useState } from 'react'
import { type Control, useWatch } from 'react-hook-form'
import type { EntryFields, ShownEntryState } from '#contract/entries.ts'
import type { Visibility } from '#contract/projects.ts'
import { countTypedWords } from '#web/composer/attachments/file-text.ts'
import type { EntryText } from '#web/composer/drafts/entry-draft.ts'
import { useMilestones } from '#web/milestones/queries.ts'
import { useProject, writableProjectsQuery } from '#web/projects/queries.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Checkbox, Field, Select } from '#web/ui/controls/field.tsx'
import { TextInput } from '#web/ui/controls/text-input.tsx'
import { TryAgain } from '#web/ui/controls/try-again.tsx'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { dateFormatter } from '#web/ui/layout/date-formatter.ts'
import { DateContext, Time } from '#web/ui/layout/time.tsx'
import type { MilestoneRef } from './composer-settings.ts'
import type { StateChoice, useDateAndState } from './date-and-state.ts'
import { ServerDay } from './server-day.tsx'

type ComposerRailProps = {
  control: Control<EntryText, unknown, EntryFields>
  dateAndState: ReturnType<typeof useDateAndState>
  isNew: boolean
  /** Whether the person may unpublish the entry. */
  isMine: boolean
  visibility: Visibility
  /** Saves the entry with the other state. */
  onSaveAs: (choice: StateChoice) => void
  /** The state that the entry is being saved with by that button. */
  savingAs: ShownEntryState | undefined
  target: MilestoneRef
  milestoneTitle: string
  onTarget: (target: MilestoneRef) => void
  isPlain: boolean
  onPlain: (isPlain: boolean) => void
  readOnly: boolean
  /** Shown below the date. */
  dateOffer: ReactNode
  /** The button of the history; absent for a new entry. */
  history: ReactNode
  children: ReactNode
}

/** The properties of an entry beside its text; on narrow screens one line below it, which opens. */
export function ComposerRail(props: ComposerRailProps) {
  const { control, dateAndState, isNew, onSaveAs, savingAs, target, onTarget, isPlain, onPlain, readOnly } =
    props
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <section
      aria-label="About this entry"
      className="shrink-0 border-line px-5 py-2 max-lg:mx-auto max-lg:w-full max-lg:max-w-[44.5rem] max-lg:border-t lg:sticky lg:top-0 lg:w-76 lg:self-start lg:pt-10 lg:pb-6"
    >
      <Summary
        day={dateAndState.day}
        milestoneTitle={props.milestoneTitle}
        state={dateAndState.state}
        isOpen={isOpen}
        controls={id}
        onToggle={() => setOpen(!isOpen)}
      />
      <div id={id} className={clsx('flex flex-col gap-5 max-lg:py-3', !isOpen && 'max-lg:hidden')}>
        <Field label="Date">
          <TextInput
            type="date"
            value={dateAndState.day}
            readOnly={readOnly}
            required
            onChange={({ target: { value } }) => dateAndState.setDay(value)}
          />
        </Field>
        {isNew && !readOnly && <ServerDay day={dateAndState.day} onUse={dateAndState.setDay} />}
        {props.dateOffer}
        <MilestoneField target={target} onTarget={onTarget} disabled={readOnly} />
        {props.children}
        <StateField
          state={dateAndState.state}
          publishAt={dateAndState.publishAt}
          isNew={isNew}
          isMine={props.isMine}
          visibility={props.visibility}
          onSaveAs={onSaveAs}
          savingAs={savingAs}
          disabled={readOnly}
        />
        <Checkbox
          label="Plain editor"
          checked={isPlain}
          onChange={({ target: box }) => onPlain(box.checked)}
        />
        <WordCount control={control} />
        {props.history && <div>{props.history}</div>}
      </div>
    </section>
  )
}

type SummaryProps = {
  day: string
  milestoneTitle: string
  state: ShownEntryState
  isOpen: boolean
  controls: string
  onToggle: () => void
}

/** The properties in one line, on narrow screens; it opens them. */
function Summary({ day, milestoneTitle, state, isOpen, controls, onToggle }: SummaryProps) {
  const choice = use(DateContext)
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-controls={controls}
      className="flex min-h-11 w-full items-center gap-2 rounded-md text-left text-sm text-muted hover:text-ink lg:hidden"
      onClick={onToggle}
    >
      <span className="min-w-0 flex-1 truncate">
        {day !== '' && <>{dateFormatter('day', choice).format(new Date(day))} · </>}
        <bdi>{milestoneTitle}</bdi>
        {state === 'draft' && ' · Draft'}
        {state === 'scheduled' && ' · Scheduled'}
      </span>
      <ChevronDown className={clsx('size-4 shrink-0', isOpen && 'rotate-180')} aria-hidden="true" />
      <VisuallyHidden>Date, milestone, cover and state</VisuallyHidden>
    </button>
  )
}

/** Who sees a published entry. */
const readers: { [visibility in Visibility]: string } = {
  private: 'everyone who can see the project',
  unlisted: 'everyone with the link',
  public: 'everyone',
}

const capitalized = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

type StateFieldProps = {
  state: ShownEntryState
  publishAt: string | undefined
  isNew: boolean
  isMine: boolean
  visibility: Visibility
  onSaveAs: (choice: StateChoice) => void
  savingAs: ShownEntryState | undefined
  disabled: boolean
}

/** The state of the entry, and the button that saves it with the other state. */
function StateField(props: StateFieldProps) {
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
          onSchedule={(publishAt) =>
            onSaveAs({ state: 'scheduled', publishAt: publishAt.toISOString(), publishZone: browserZone() })
          }
        />
      )}
    </section>
  )
}

const browserZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

type PublishLaterProps = {
  isScheduled: boolean
  busy: boolean
  disabled: boolean
  onSchedule: (publishAt: Date) => void
}

/** Chooses when the entry publishes itself, in the time zone of the browser. A time that the clocks skip moves on. */
function PublishLater({ isScheduled, busy, disabled, onSchedule }: PublishLaterProps) {
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
      <Field label="Publish at" hint={browserZone()} className="w-full" {...(error && { error })}>
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
          const publishAt = new Date(time)
          if (Number.isNaN(publishAt.getTime())) setError('Choose a day and a time')
          else onSchedule(publishAt)
        }}
      >
        Schedule
      </Button>
    </div>
  )
}

function WordCount({ control }: Pick<ComposerRailProps, 'control'>) {
  const content = useDeferredValue(useWatch({ control, name: 'content' }))
  const count = countTypedWords(content)
  return <p className="text-sm text-muted tabular-nums">{count === 1 ? '1 word' : `${count} words`}</p>
}

type MilestoneFieldProps = {
  target: MilestoneRef
  onTarget: (target: MilestoneRef) => void
  disabled: boolean
}

/** The milestone of an entry, in any project that the person may edit. */
function MilestoneField({ target, onTarget, disabled }: MilestoneFieldProps) {
  const { milestoneId } = target
  const [chosen, setChosen] = useState({ projectId: target.projectId, milestoneId })
  if (chosen.milestoneId !== milestoneId) setChosen({ projectId: target.projectId, milestoneId })
  const chosenId = chosen.projectId
  const { data: writable = [] } = useQuery(writableProjectsQuery)
  const project = useProject(target.projectId)
  const { milestones, isPending, isError, refetch } = useMilestones(chosenId)
  const current = { _id: target.projectId, title: project.data?.title ?? '' }
  const projects = writable.some(({ _id }) => _id === current._id) ? writable : [current, ...writable]
  const options = milestones.map(({ _id, title }) => ({ value: _id, label: title }))
  const isHere = options.some(({ value }) => value === milestoneId)
  const isFailed = isError && options.length === 0

  return (
    <div className="flex flex-col gap-5">
      {projects.length > 1 && (
        <Field label="Project">
          <Select
            value={chosenId}
            disabled={disabled}
            options={projects.map(({ _id, title }) => ({ value: _id, label: title }))}
            onChange={({ target: { value } }) => setChosen({ projectId: value, milestoneId })}
          />
        </Field>
      )}
      <div className="flex flex-col gap-2">
        <Field label="Milestone" hint={isPending || options.length > 0 ? undefined : noMilestones(isFailed)}>
          <Select
            value={isHere ? milestoneId : ''}
            disabled={disabled || options.length === 0}
            options={isHere ? options : [{ value: '', label: 'Choose…' }, ...options]}
            onChange={({ target: { value } }) =>
              value !== '' && onTarget({ projectId: chosenId, milestoneId: value })
            }
          />
        </Field>
        {isFailed && <TryAgain size="sm" className="self-start" onClick={() => void refetch()} />}
      </div>
    </div>
  )
}

const noMilestones = (isFailed: boolean) =>
  isFailed ? 'The milestones could not be fetched.' : 'This project has no milestones yet.'
