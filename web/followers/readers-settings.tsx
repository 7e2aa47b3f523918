import type { Readers } from '#contract/followers.ts'
import type { Project } from '#contract/projects.ts'
import { useShownQuery } from '#web/saving/overlay.ts'
import { Checkbox } from '#web/ui/controls/field.tsx'
import { FetchFailed } from '#web/ui/feedback/empty-state.tsx'
import { Skeleton } from '#web/ui/feedback/loading.tsx'
import { counted } from '#web/ui/layout/counted.ts'
import { readersQuery, useChangeReaders } from './queries.ts'

type ReadersSettingsProps = { project: Pick<Project, '_id' | 'isPublic'> }

/** The part of the share dialog about readers, for those who may publish the project. */
export function ReadersSettings({ project: { _id: projectId, isPublic } }: ReadersSettingsProps) {
  const { data, isError, isFetching, refetch } = useShownQuery({
    ...readersQuery(projectId),
    refetchOnMount: 'always',
  })
  return (
    <section aria-labelledby="readers" className="border-t border-line pt-5">
      <h3 id="readers" className="mb-1 text-sm font-semibold">
        Readers
      </h3>
      {data && (
        <div className="grid gap-3">
          {isPublic && <ByEmail projectId={projectId} readers={data} />}
          <Reactions projectId={projectId} readers={data} />
          {isPublic && <Downloads projectId={projectId} readers={data} />}
        </div>
      )}
      {!data && isError && (
        <FetchFailed
          title="The readers could not be fetched"
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {!data && !isError && <Skeleton className="h-16" />}
    </section>
  )
}

type OfReaders = { projectId: string; readers: Readers }

function ByEmail({ projectId, readers }: OfReaders) {
  const { mutate } = useChangeReaders(projectId)
  const { emails, sendsMail, followers } = readers
  if (!sendsMail)
    return (
      <p className="text-sm text-muted">
        Readers follow the public page by feed: this server sends no email.
      </p>
    )
  return (
    <>
      <p className="text-sm text-muted">
        {followers === 0
          ? 'Nobody follows by email yet.'
          : `${counted(followers, 'person follows', 'people follow')} by email.`}{' '}
        They get at most one email a day with what is new. Nobody sees their addresses, not even you.
      </p>
      <Checkbox
        label="Readers can follow by email"
        checked={emails}
        onChange={({ target }) => mutate({ emails: target.checked })}
      />
    </>
  )
}

function Reactions({ projectId, readers: { reactions } }: OfReaders) {
  const { mutate } = useChangeReaders(projectId)
  return (
    <Checkbox
      label="Readers can react to entries"
      hint="With one press, on public pages and private links. Everybody sees how many did; nobody sees who."
      checked={reactions}
      onChange={({ target }) => mutate({ reactions: target.checked })}
    />
  )
}

function Downloads({ projectId, readers: { downloads } }: OfReaders) {
  const { mutate } = useChangeReaders(projectId)
  return (
    <Checkbox
      label="Readers can download the project"
      hint="As an e-book and as a website, with what visitors see. Downloaded copies stay with who has them."
      checked={downloads}
      onChange={({ target }) => mutate({ downloads: target.checked })}
    />
  )
}
