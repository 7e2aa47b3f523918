import { Link } from 'react-router'
import type { ImportRecord, ImportReport } from '#contract/imports.ts'
import { LinkButton } from '#web/ui/controls/button.tsx'
import { ConfirmButton } from '#web/ui/dialogs/confirm-button.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { counted } from '#web/ui/layout/counted.ts'
import { Section } from '#web/ui/layout/page.tsx'
import { Time } from '#web/ui/layout/time.tsx'
import { useUndoImport } from './mutations.ts'
import { ProblemList } from './problem-list.tsx'
import { countsOf } from './words.ts'

/** What an import has created, and what has become of it after an undo. */
export function ImportReportView({ one, report }: { one: ImportRecord; report: ImportReport }) {
  const isUndone = one.state === 'undone'
  return (
    <div className="flex flex-col gap-10">
      {one.problem !== null && <Banner>{one.problem}</Banner>}
      {isUndone ? <Undone report={report} /> : <Done report={report} />}
      {!isUndone && report.problems.length > 0 && (
        <Section title="What did not come as it was">
          <ProblemList problems={report.problems} />
        </Section>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2.5">
        <LinkButton to="/import">Import another file</LinkButton>
        {!isUndone && one.undoUntil !== null && <UndoImport importId={one._id} until={one.undoUntil} />}
      </div>
    </div>
  )
}

function Done({ report: { made, here, leftOut, projects } }: { report: ImportReport }) {
  return (
    <Section title="What is here now">
      <p>{countsOf(made)} were created.</p>
      {here > 0 && (
        <p className="mt-2 text-muted">{counted(here, 'entry was', 'entries were')} here already.</p>
      )}
      {leftOut > 0 && (
        <p className="mt-2 text-muted">{counted(leftOut, 'entry was', 'entries were')} left out.</p>
      )}
      <ul className="mt-4 flex flex-col gap-2">
        {projects.map(({ _id, title }) => (
          <li key={_id}>
            <Link
              to={`/projects/${_id}`}
              dir="auto"
              className="font-reading text-lg font-medium break-words text-accent-strong underline"
            >
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Undone({ report: { kept } }: { report: ImportReport }) {
  return (
    <Section title="Undone">
      {kept.length === 0 ? (
        <p>Everything that this import had created is deleted.</p>
      ) : (
        <>
          <p>What this import had created is deleted, except what was changed since, and where that is:</p>
          <ul className="mt-3 list-disc pl-5">
            {kept.map((title, at) => (
              <li key={at} dir="auto" className="break-words">
                {title}
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  )
}

/** Deletes what an import has created, after a confirmation. */
export function UndoImport({ importId, until }: { importId: string; until: string }) {
  const undo = useUndoImport(importId)
  return (
    <>
      <ConfirmButton
        variant="quiet"
        busy={undo.isPending}
        question="Undo this import?"
        detail="What it has created is deleted for ever. What was changed since is kept."
        verb="Undo everything"
        onConfirm={() => undo.mutate()}
      />
      <p className="text-sm text-muted">
        Possible until <Time iso={until} />
      </p>
    </>
  )
}
