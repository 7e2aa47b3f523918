import { useEffect, useId, useRef, useState } from 'react'
import { DEFAULT_COVER } from '#contract/covers.ts'
import type { Entry } from '#contract/entries.ts'
import type { EntryText } from '#web/entries/editor/entry-draft.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { Field, GrowingText } from '#web/ui/controls/field.tsx'
import { CloseLayer } from '#web/ui/dialogs/page-layer.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { changedBy } from './changed-by.ts'
import { type Choice, chosenOf, contentOf } from './merge-entry.ts'
import { type Conflict, isConflict, type Piece } from './merge-text.ts'
import type { EntryConflict } from './save-merging.ts'

/** The result: one of the two texts, or a merge of both. */
export type Decision = { text: 'mine' | 'theirs' | EntryText; day: Choice; cover: Choice }

type MergeViewProps = {
  conflict: EntryConflict
  projectId: string
  /** The entry when the form was opened. */
  original: Entry
  onDecide: (decision: Decision) => void
  /** Called when editing the result by hand begins or ends. */
  onWritten: (isWritten: boolean) => void
}

/**
 * The conflicts of a merge side by side, with a choice for each. Before a choice, the result contains both versions; the
 * result can be edited by hand.
 */
export function MergeView({ conflict, projectId, original, onDecide, onWritten }: MergeViewProps) {
  const { merge, mine } = conflict
  const [choices, setChoices] = useState<{ [index: number]: Choice }>({})
  const [title, setTitle] = useState<Choice>('mine')
  const [day, setDay] = useState<Choice>('mine')
  const [cover, setCover] = useState<Choice>('mine')
  const [typed, setTyped] = useState<string | null>(null)
  const others = useOthers(projectId, original)
  const heading = useRef<HTMLHeadingElement>(null)
  const conflicts = merge.content.filter(isConflict)
  const content = typed ?? contentOf(merge, Object.assign([], choices))
  const whose = {
    mine: 'Your text',
    theirs: others === 'you' ? 'Your other text' : 'The text saved meanwhile',
  }

  // The clicked button has been removed.
  useEffect(() => heading.current?.focus(), [])

  function write(text: string | null) {
    setTyped(text)
    onWritten(text !== null)
  }

  function take(text: Decision['text']) {
    const of = text === 'theirs' ? text : 'mine'
    onDecide(typeof text === 'string' ? { text, day: of, cover: of } : { text, day, cover })
  }

  return (
    <>
      <header className="flex h-14 shrink-0 items-center px-1.5 sm:px-4">
        <CloseLayer />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto px-5 pt-2 pb-10">
        <div className="mx-auto flex max-w-4xl flex-col gap-6">
          <h2 ref={heading} tabIndex={-1} className="font-reading text-2xl font-medium outline-none">
            Two versions of one entry
          </h2>
          <Banner tone="info">
            This entry was changed elsewhere while you were writing. {savedBy(others)} Nothing is lost and
            nothing is overwritten: choose the text to go on with; the other stays beside it until you save.
          </Banner>
          <div className="flex flex-wrap gap-2">
            <Button size="sm" onClick={() => take('mine')}>
              Go on with yours
            </Button>
            <Button size="sm" onClick={() => take('theirs')}>
              Go on with this one
            </Button>
            <CopyButton text={mine.content} label="Copy your text" />
          </div>
          <OneConflict name="Title" piece={merge.title} whose={whose} choice={title} onChoose={setTitle} />
          <OneConflict name="Date" piece={merge.day} whose={whose} choice={day} onChoose={setDay} />
          <CoverConflict piece={merge.coverFile} whose={whose} choice={cover} onChoose={setCover} />
          {conflicts.map((piece, index) => (
            <PieceChoice
              key={index}
              name={conflicts.length === 1 ? 'Text' : `Text, place ${index + 1} of ${conflicts.length}`}
              piece={piece}
              whose={whose}
              canBoth
              choice={choices[index] ?? 'both'}
              disabled={typed !== null}
              onChoose={(choice) => setChoices({ ...choices, [index]: choice })}
            />
          ))}
          <Field label="Result" hint="You can change it here, or go on writing in the editor.">
            <GrowingText
              dir="auto"
              className="min-h-40 w-full rounded-md border border-edge bg-raised p-3 font-reading"
              value={content}
              onChange={({ target: { value } }) => write(value)}
            />
          </Field>
          <div className="flex flex-wrap justify-end gap-2.5">
            {typed !== null && (
              <Button variant="quiet" onClick={() => write(null)}>
                Choose by piece again
              </Button>
            )}
            <Button
              variant="primary"
              onClick={() => take({ title: chosenOf(merge.title, title), content, tags: merge.tags })}
            >
              Go on with the result
            </Button>
          </div>
        </div>
      </div>
    </>
  )
}

/** The people who saved the other text; undefined until that is known. */
function useOthers(projectId: string, original: Entry): string | undefined {
  const [others, setOthers] = useState<string>()
  useEffect(() => {
    let isMounted = true
    void changedBy(projectId, original).then((names) => isMounted && setOthers(names))
    return () => {
      isMounted = false
    }
  }, [projectId, original])
  return others
}

const savedBy = (others: string | undefined) =>
  others === undefined
    ? ''
    : others === 'you'
      ? 'You saved it yourself, in another tab or on another device.'
      : `It was saved by ${others}.`

type Whose = { mine: string; theirs: string }
type ChoiceProps = { whose: Whose; choice: Choice; onChoose: (choice: Choice) => void }

function OneConflict({ name, piece, ...rest }: ChoiceProps & { name: string; piece: Piece }) {
  return isConflict(piece) ? <PieceChoice name={name} piece={piece} {...rest} /> : null
}

/** Covers are shown without a preview: the pictures are visible in the editor. */
function CoverConflict({ piece, ...rest }: ChoiceProps & { piece: Piece }) {
  if (!isConflict(piece)) return null
  const said = (file: string, whose: string) => {
    if (file === DEFAULT_COVER) return 'The first picture'
    return file === '' ? 'No cover' : `The picture chosen in ${whose}`
  }
  const { mine, theirs } = piece
  return (
    <PieceChoice
      name="Cover"
      piece={{ mine: said(mine, 'your text'), theirs: said(theirs, 'the other text') }}
      {...rest}
    />
  )
}

type PieceChoiceProps = ChoiceProps & { name: string; piece: Conflict; canBoth?: true; disabled?: boolean }

function PieceChoice({ name, piece, whose, canBoth, choice, disabled, onChoose }: PieceChoiceProps) {
  const group = useId()
  const radio = (value: Choice, label: string) => (
    <label className="flex min-h-8 items-center gap-2 text-sm font-semibold pointer-coarse:min-h-11">
      <input
        type="radio"
        name={group}
        checked={choice === value}
        onChange={() => onChoose(value)}
        className="size-4 accent-accent"
      />
      {label}
    </label>
  )
  return (
    <fieldset disabled={disabled} className="min-w-0 rounded-lg border border-line p-4 disabled:opacity-60">
      <legend className="px-1 text-sm font-semibold text-muted">{name}</legend>
      <div className="grid gap-4 sm:grid-cols-2">
        {(['mine', 'theirs'] as const).map((side) => (
          <div key={side} className="flex min-w-0 flex-col gap-1.5">
            {radio(side, whose[side])}
            <PieceText text={piece[side]} other={piece[side === 'mine' ? 'theirs' : 'mine']} />
          </div>
        ))}
      </div>
      {canBoth && <div className="mt-3">{radio('both', 'Both, one after the other')}</div>}
    </fieldset>
  )
}

/** One version of a conflict; words that differ from the other are marked, if some are equal. */
function PieceText({ text, other }: { text: string; other: string }) {
  if (text.trim() === '') return <p className="text-sm text-muted italic">Nothing: it was deleted here.</p>
  const { start, differing, end } = compareEnds(text.trimEnd(), other.trimEnd())
  return (
    <p dir="auto" className="rounded-md bg-sunken p-3 text-sm leading-6 whitespace-pre-wrap wrap-anywhere">
      {start}
      {start === '' && end === '' ? (
        differing
      ) : (
        <mark className="rounded-sm bg-accent-soft font-semibold text-ink">{differing}</mark>
      )}
      {end}
    </p>
  )
}

/** Splits a text into the beginning and the end that it has in common with another, and the words between. */
function compareEnds(text: string, other: string) {
  const [words, others] = [text, other].map((whole) => whole.split(/(?<=\s)/)) as [string[], string[]]
  const shorter = Math.min(words.length, others.length)
  let from = 0
  while (from < shorter && words[from] === others[from]) from += 1
  let after = 0
  while (after < shorter - from && words.at(-1 - after) === others.at(-1 - after)) after += 1
  const to = words.length - after
  return {
    start: words.slice(0, from).join(''),
    differing: words.slice(from, to).join(''),
    end: words.slice(to).join(''),
  }
}
