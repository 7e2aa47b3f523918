import { clsx } from 'clsx'
import { type ReactNode, useId, useMemo } from 'react'
import { compare } from '#web/entries/history/compare.ts'
import { Passage, Unchanged } from '#web/entries/passage.tsx'
import type { Choice } from './merge-entry.ts'
import { type Conflict, isConflict, type Piece } from './merge-text.ts'

/** Who wrote the two texts: the labels of their choices, for a passage and for all of it, and their captions. */
export type Whose = {
  mine: OneOfTwo
  theirs: OneOfTwo
  /** The label of the choice of both. */
  keepBoth: string
}

type OneOfTwo = { keep: string; keepAll: string; by: string }

type PieceChoiceProps = {
  name: string
  piece: Conflict
  whose: Whose
  choice: Choice
  onChoose: (choice: Choice) => void
  canBoth?: true
  disabled?: boolean
  /** Shows one of the texts, if it is not a passage of the content. */
  shows?: (text: string) => ReactNode
}

/** The two versions of a passage beside each other, each of which can be chosen; if `canBoth`, also both. */
export function PieceChoice(props: PieceChoiceProps) {
  const { name, piece, whose, canBoth, choice, disabled, onChoose, shows } = props
  const group = useId()
  const radio = (value: Choice, label: string) => (
    <span className="flex items-center gap-2.5 text-sm font-semibold">
      <input
        type="radio"
        name={group}
        aria-labelledby={`${group}${value}`}
        checked={choice === value}
        onChange={() => onChoose(value)}
        className="size-4 shrink-0 accent-accent outline-none"
      />
      <span id={`${group}${value}`}>{label}</span>
    </span>
  )
  return (
    <fieldset disabled={disabled} className="min-w-0 disabled:opacity-60">
      <legend className="mb-2 text-sm font-semibold text-muted">{name}</legend>
      <div className="grid gap-2.5 sm:grid-cols-2">
        {(['mine', 'theirs'] as const).map((side) => (
          <label key={side} className={choiceClass(choice === side || choice === 'both')}>
            <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-0.5">
              {radio(side, whose[side].keep)}
              <bdi className="min-w-0 truncate text-xs text-muted">{whose[side].by}</bdi>
            </span>
            <span dir="auto" className="font-reading text-base/7 whitespace-pre-wrap wrap-anywhere">
              {shows ? shows(piece[side]) : <Version piece={piece} side={side} />}
            </span>
          </label>
        ))}
        {canBoth && (
          <label className={clsx(choiceClass(choice === 'both'), 'justify-center py-2 sm:col-span-2')}>
            {radio('both', whose.keepBoth)}
          </label>
        )}
      </div>
    </fieldset>
  )
}

const choiceClass = (isChosen: boolean) =>
  clsx(
    'flex min-h-11 min-w-0 cursor-pointer flex-col gap-2.5 rounded-lg border p-3.5 transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
    isChosen ? 'border-accent bg-raised ring-1 ring-accent' : 'border-line bg-surface hover:border-edge',
  )

/** As long as this, passages are compared word by word. */
const COMPARE_MS = 100

/** One version of a passage; words that the other one does not have are marked. */
function Version({ piece, side }: { piece: Conflict; side: 'mine' | 'theirs' }) {
  const pieces = useMemo(
    () => compare(piece.mine.trimEnd(), piece.theirs.trimEnd(), COMPARE_MS),
    [piece.mine, piece.theirs],
  )
  if (piece[side].trim() === '')
    return <span className="font-sans text-sm text-muted italic">Nothing: it was deleted here.</span>
  const own = side === 'mine' ? 'removed' : 'added'
  const shown = pieces.filter(({ kind }) => kind === 'same' || kind === own)
  const isWhole = shown.every(({ kind }) => kind === own)
  return shown.map(({ kind, text }, at) =>
    kind === 'same' || isWhole ? (
      <Passage key={at} text={text} />
    ) : (
      <mark
        key={at}
        className="rounded-xs bg-accent-soft box-decoration-clone text-ink underline decoration-accent decoration-2 underline-offset-4"
      >
        <Passage text={text} />
      </mark>
    ),
  )
}

type PiecesProps = {
  pieces: readonly Piece[]
  whose: Whose
  choices: { [index: number]: Choice }
  disabled: boolean
  onChoose: (index: number, choice: Choice) => void
}

/** The text in its order: what is merged, shortened, and the choices. Nothing if all of it is merged. */
export function Pieces({ pieces, whose, choices, disabled, onChoose }: PiecesProps) {
  const conflicts = pieces.filter(isConflict)
  if (conflicts.length === 0) return null
  return (
    <div className="flex flex-col gap-5">
      {pieces.map((piece, at) => {
        if (!isConflict(piece)) {
          if (piece.same.trim() === '') return null
          const position = { isFirst: at === 0, isLast: at === pieces.length - 1 }
          return (
            <div
              key={at}
              dir="auto"
              className="font-reading text-base/7 whitespace-pre-wrap text-muted wrap-anywhere"
            >
              <Unchanged text={withoutOuterBreaks(piece.same)} {...position} />
            </div>
          )
        }
        const index = conflicts.indexOf(piece)
        return (
          <PieceChoice
            key={at}
            name={conflicts.length === 1 ? 'Text' : `Text, place ${index + 1} of ${conflicts.length}`}
            piece={piece}
            whose={whose}
            canBoth
            choice={choices[index] ?? 'both'}
            disabled={disabled}
            onChoose={(choice) => onChoose(index, choice)}
          />
        )
      })}
    </div>
  )
}

/** Returns a text without the line breaks at its ends, in linear time: `\n+$` would try each of a long run. */
function withoutOuterBreaks(text: string): string {
  let [start, end] = [0, text.length]
  while (text[start] === '\n') start += 1
  while (end > start && text[end - 1] === '\n') end -= 1
  return text.slice(start, end)
}
