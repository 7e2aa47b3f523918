import { useNavigate, useParams } from 'react-router'
import type { ImportRecord } from '#contract/imports.ts'
import { ScreenTitle } from '#web/head/screen-title.tsx'
import { isNotFound } from '#web/projects/queries.ts'
import { NotFoundPage } from '#web/shell/not-found-page.tsx'
import { Button, LinkButton } from '#web/ui/controls/button.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { FetchFailed } from '#web/ui/feedback/empty-state.tsx'
import { Spinner } from '#web/ui/feedback/loading.tsx'
import { ProgressBar } from '#web/ui/feedback/progress-bar.tsx'
import { Page, PageHeader } from '#web/ui/layout/page.tsx'
import { ChooseArchive } from './choose-archive.tsx'
import { ImportPlanForm } from './import-plan.tsx'
import { ImportReportView, UndoImport } from './import-report.tsx'
import { useCancelImport, useRunImport, useSendArchive, useUndoImport } from './mutations.ts'
import { useImport } from './queries.ts'
import { percentDone, STATE_NAMES } from './words.ts'

/** One import: its upload, its plan, its progress and its report. */
export default function OneImportScreen() {
  const { importId = '' } = useParams()
  const query = useImport(importId)
  if (isNotFound(query.error)) return <NotFoundPage />
  return (
    <Page width="reading">
      <ScreenTitle>Import</ScreenTitle>
      {query.data ? (
        <>
          <PageHeader title={<bdi>{query.data.name}</bdi>} lede={STATE_NAMES[query.data.state]} />
          <Stage one={query.data} />
        </>
      ) : query.isError ? (
        <FetchFailed
          title="The import could not be fetched"
          busy={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <Spinner label="Loading the import" />
      )}
    </Page>
  )
}

function Stage({ one }: { one: ImportRecord }) {
  switch (one.state) {
    case 'uploading':
      return <Unsent one={one} />
    case 'inspecting':
      return (
        <Work>
          <Spinner label="Inspecting" />
          <span>Milepost looks through the file. Nothing is created yet, and you may leave this page.</span>
        </Work>
      )
    case 'planned':
      return one.plan ? <ImportPlanForm one={one} plan={one.plan} /> : null
    case 'running': {
      const { done, plan } = one
      const all = plan?.counts.entries ?? 0
      return (
        <div className="rounded-lg border border-line bg-raised p-6 shadow-sm">
          <ProgressBar label="Imported" value={percentDone(one)} valueText={`${done} of ${all} entries`} />
          <p className="mt-3 text-muted">
            {done.toLocaleString('en')} of {all.toLocaleString('en')} entries. You may leave this page; the
            import goes on.
          </p>
        </div>
      )
    }
    case 'undoing':
      return (
        <Work>
          <Spinner label="Undoing" />
          <span>What was imported is being deleted.</span>
        </Work>
      )
    case 'paused':
      return <Paused one={one} />
    case 'failed':
      return <Failed one={one} />
    case 'done':
    case 'undone':
      break
  }
  return one.report ? <ImportReportView one={one} report={one.report} /> : null
}

const Work = ({ children }: { children: React.ReactNode }) => (
  <output className="flex items-start gap-4 rounded-lg border border-line bg-raised p-6 shadow-sm">
    {children}
  </output>
)

function Unsent({ one }: { one: ImportRecord }) {
  const navigate = useNavigate()
  const { share, isPending, mutate } = useSendArchive(() => undefined)
  const cancel = useCancelImport(one._id, () => void navigate('/import'))
  return (
    <>
      <p className="mb-5 text-muted">
        {Math.floor((one.received / one.size) * 100)} % have arrived. Choose the same file again to send the
        rest.
      </p>
      <ChooseArchive
        share={share}
        busy={isPending}
        onChoose={(file) => mutate(file, { onSuccess: ({ _id }) => void navigate(`/import/${_id}`) })}
      />
      {share === null && (
        <Button variant="quiet" className="mt-5" busy={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel this import
        </Button>
      )}
    </>
  )
}

function Paused({ one }: { one: ImportRecord }) {
  const run = useRunImport(one._id)
  const undo = useUndoImport(one._id)
  return (
    <>
      <Banner>{one.problem}</Banner>
      <p className="mt-5 text-muted">
        {one.done.toLocaleString('en')} of {(one.plan?.counts.entries ?? 0).toLocaleString('en')} entries are
        imported.
      </p>
      <div className="mt-6 flex flex-wrap gap-2.5">
        <Button variant="primary" busy={run.isPending} onClick={() => run.mutate({})}>
          Go on
        </Button>
        <Button busy={undo.isPending} onClick={() => undo.mutate()}>
          Undo everything
        </Button>
      </div>
    </>
  )
}

function Failed({ one }: { one: ImportRecord }) {
  const navigate = useNavigate()
  const cancel = useCancelImport(one._id, () => void navigate('/import'))
  return (
    <>
      <Banner>{one.problem}</Banner>
      <div className="mt-6 flex flex-wrap gap-2.5">
        <LinkButton variant="primary" to="/import">
          Import another file
        </LinkButton>
        {one.undoUntil === null ? (
          <Button variant="quiet" busy={cancel.isPending} onClick={() => cancel.mutate()}>
            Remove from the list
          </Button>
        ) : (
          <UndoImport importId={one._id} until={one.undoUntil} />
        )}
      </div>
    </>
  )
}
