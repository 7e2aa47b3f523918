import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import { use, useEffect, useId, useState } from 'react'
import type { ShownEntryState } from '#contract/entries.ts'
import type { Visibility } from '#contract/projects.ts'
import { useServerOptions } from '#web/api/server-options.ts'
import { CoverField } from '#web/composer/attachments/cover-field.tsx'
import { countTypedWords } from '#web/composer/attachments/file-text.ts'
import { ImageField } from '#web/composer/attachments/image-field.tsx'
import { HistoryButton } from '#web/entries/history/history-button.tsx'
import { Checkbox, Field } from '#web/ui/controls/field.tsx'
import { TextInput } from '#web/ui/controls/text-input.tsx'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { dateFormatter } from '#web/ui/layout/date-formatter.ts'
import { DateContext } from '#web/ui/layout/time.tsx'
import { PictureDate, ServerDay } from './day-offers.tsx'
import { MilestoneField } from './milestone-field.tsx'
import { StateField } from './state-field.tsx'
import type { Composer } from './use-composer.ts'

type ComposerRailProps = {
  composer: Composer
  visibility: Visibility
  isPlain: boolean
  onPlain: (isPlain: boolean) => void
}

/** The properties of an entry beside its text; on narrow screens one line below it, which opens. */
export function ComposerRail({ composer, visibility, isPlain, onPlain }: ComposerRailProps) {
  const { entry, files, dateAndState, original, origin, target, onTarget, closing, submit, isSaving } =
    composer
  const { day, setDay, dayField, isDayIncomplete, state, publishAt, savingAs } = dateAndState
  const [isUnfolded, setUnfolded] = useState(false)
  const isOpen = isUnfolded || isDayIncomplete
  const id = useId()
  return (
    <section
      aria-label="About this entry"
      className="shrink-0 border-line px-5 py-2 max-lg:mx-auto max-lg:w-full max-lg:max-w-[44.5rem] max-lg:border-t lg:sticky lg:top-0 lg:w-76 lg:self-start lg:pt-10 lg:pb-6"
    >
      <Summary
        day={day}
        milestoneTitle={origin.milestoneTitle}
        state={state}
        isOpen={isOpen}
        controls={id}
        onToggle={() => setUnfolded(!isOpen)}
      />
      <div id={id} className={clsx('flex flex-col gap-5 max-lg:py-3', !isOpen && 'max-lg:hidden')}>
        <Field label="Date" {...(isDayIncomplete && { error: 'Complete the date' })}>
          <TextInput
            ref={dayField}
            type="date"
            value={day}
            readOnly={isSaving}
            required
            onChange={({ target: { value } }) => setDay(value)}
          />
        </Field>
        {!original && !isSaving && <ServerDay day={day} onUse={setDay} />}
        {files && <PictureDate composer={composer} files={files} />}
        <MilestoneField target={target} onTarget={onTarget} disabled={isSaving} />
        <CoverFields composer={composer} />
        <StateField
          state={state}
          publishAt={publishAt}
          isNew={!original}
          isMine={original?.isMine === true}
          visibility={visibility}
          onSaveAs={submit}
          savingAs={savingAs}
          disabled={isSaving}
        />
        <Checkbox
          label="Plain editor"
          checked={isPlain}
          onChange={({ target: box }) => onPlain(box.checked)}
        />
        <WordCount form={entry.form} />
        {original && (
          <div>
            <HistoryButton entry={original} variant="secondary" onRestored={() => void closing.close()} />
          </div>
        )}
      </div>
    </section>
  )
}

/** The choice of a cover, and the specified image section, which is hidden unless the operator has enabled it. */
function CoverFields({ composer: { files, entry, cover, original } }: Pick<ComposerRailProps, 'composer'>) {
  const hasImages = useServerOptions()?.entries.images === true
  if (!files) return null
  const { control, formState } = entry.form
  const shared = { files, choice: cover, readOnly: formState.isSubmitting }
  return (
    <>
      <CoverField {...shared} control={control} hasImageSection={hasImages} />
      <ImageField {...shared} hidden={!hasImages} savedURL={original?.imageURL} />
    </>
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
      <span className="flex min-w-0 flex-1 gap-1 whitespace-nowrap">
        {day !== '' && <span>{dateFormatter('day', choice).format(new Date(day))} ·</span>}
        <span dir="auto" className="truncate">
          {milestoneTitle}
        </span>
        {state === 'draft' && <span>· Draft</span>}
        {state === 'scheduled' && <span>· Scheduled</span>}
      </span>
      <ChevronDown className={clsx('size-4 shrink-0', isOpen && 'rotate-180')} aria-hidden="true" />
      <VisuallyHidden>Date, milestone, cover and state</VisuallyHidden>
    </button>
  )
}

/** The pause in typing after which the words are counted, which takes as long as several keys in a long text. */
const COUNT_AFTER_MS = 300

function WordCount({ form }: { form: Composer['entry']['form'] }) {
  const [count, setCount] = useState(() => countTypedWords(form.getValues('content')))
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const recount = () => setCount(countTypedWords(form.getValues('content')))
    const unsubscribe = form.subscribe({
      name: 'content',
      formState: { values: true },
      callback() {
        clearTimeout(timer)
        timer = setTimeout(recount, COUNT_AFTER_MS)
      },
    })
    return () => {
      unsubscribe()
      clearTimeout(timer)
    }
  }, [form])
  return <p className="text-sm text-muted tabular-nums">{count === 1 ? '1 word' : `${count} words`}</p>
}
