import type { ImportPlan } from '#contract/imports.ts'
import { Summary } from '#web/ui/controls/summary.tsx'
import { counted } from '#web/ui/layout/counted.ts'

/** What cannot come, by its reason, with the paths on demand. */
export function ProblemList({ problems }: { problems: ImportPlan['problems'] }) {
  return (
    <ul className="flex flex-col gap-3">
      {problems.map(({ reason, count, paths }) => (
        <li key={reason}>
          <details>
            <Summary className="font-normal! text-ink!">
              <span className="font-medium whitespace-nowrap">{counted(count, 'file')}:</span> {reason}
            </Summary>
            <ul className="mt-2 max-h-64 overflow-auto pl-5 text-sm text-muted">
              {paths.map((path, at) => (
                <li key={at} dir="auto" className="break-all">
                  {path}
                </li>
              ))}
              {count > paths.length && <li>and {(count - paths.length).toLocaleString('en')} more</li>}
            </ul>
          </details>
        </li>
      ))}
    </ul>
  )
}
