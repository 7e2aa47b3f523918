import type { ReactNode } from 'react'
import type { Numbers } from '#contract/calendar.ts'
import { PlannedDay } from '#web/ui/layout/time.tsx'

type NumbersProps = { numbers: Numbers; onShow: (day: string) => void }

/** What there is in numbers. */
export function NumbersOf({ numbers, onShow }: NumbersProps) {
  const { days, entries, words, pictures, longestPause } = numbers
  return (
    <dl className="mb-10 flex flex-wrap gap-x-10 gap-y-5">
      <Figure name={days === 1 ? 'day with entries' : 'days with entries'} value={days} />
      <Figure name={entries === 1 ? 'entry' : 'entries'} value={entries} />
      <Figure name={words === 1 ? 'word' : 'words'} value={words} />
      {pictures > 0 && <Figure name={pictures === 1 ? 'picture' : 'pictures'} value={pictures} />}
      {longestPause && (
        <Figure
          name={longestPause.days === 1 ? 'day, the longest pause' : 'days, the longest pause'}
          value={longestPause.days}
        >
          <button
            type="button"
            className="-my-2 rounded-sm py-2 text-accent hover:text-accent-strong pointer-coarse:-my-3 pointer-coarse:py-3"
            onClick={() => onShow(longestPause.to)}
          >
            until <PlannedDay on={longestPause.to} />
          </button>
        </Figure>
      )}
    </dl>
  )
}

type FigureProps = { name: string; value: number; children?: ReactNode }

function Figure({ name, value, children }: FigureProps) {
  return (
    <div className="flex flex-col-reverse">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="flex flex-wrap items-baseline gap-x-3 font-reading text-2xl font-medium tabular-nums">
        {new Intl.NumberFormat().format(value)}
        {children && <span className="font-sans text-sm font-semibold">{children}</span>}
      </dd>
    </div>
  )
}
