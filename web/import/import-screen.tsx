import { Link, useNavigate } from 'react-router'
import type { ImportRecord } from '#contract/imports.ts'
import { ScreenTitle } from '#web/head/screen-title.tsx'
import { FetchFailed } from '#web/ui/feedback/empty-state.tsx'
import { Page, PageHeader } from '#web/ui/layout/page.tsx'
import { Time } from '#web/ui/layout/time.tsx'
import { ChooseArchive } from './choose-archive.tsx'
import { useSendArchive } from './mutations.ts'
import { useImports } from './queries.ts'
import { STATE_NAMES } from './words.ts'

/** Takes an archive, and lists the imports of before. */
export default function ImportScreen() {
  const navigate = useNavigate()
  const query = useImports()
  const { share, isPending, mutate } = useSendArchive(() => undefined)
  return (
    <Page width="reading">
      <ScreenTitle>Import</ScreenTitle>
      <PageHeader
        title="Import"
        lede="Bring what you have written elsewhere. You see a plan before anything is created, and can undo everything for a week."
      />
      <ChooseArchive
        share={share}
        busy={isPending}
        onChoose={(file) => mutate(file, { onSuccess: ({ _id }) => void navigate(`/import/${_id}`) })}
      />
      {query.isError && query.data === undefined && (
        <FetchFailed
          title="Your imports could not be fetched"
          busy={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      )}
      {query.data && query.data.length > 0 && (
        <section aria-labelledby="earlier-imports" className="mt-10">
          <h2 id="earlier-imports" className="mb-3 text-lg font-semibold tracking-tight">
            Imports
          </h2>
          <ul className="divide-y divide-line rounded-lg border border-line bg-raised shadow-sm">
            {query.data.map((one) => (
              <li key={one._id}>
                <ImportRow one={one} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </Page>
  )
}

function ImportRow({ one: { _id, name, state, createdAt } }: { one: ImportRecord }) {
  return (
    <div className="relative flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 p-4 hover:bg-hover">
      <Link
        to={`/import/${_id}`}
        dir="auto"
        className="min-w-0 font-medium break-words after:absolute after:inset-0"
      >
        {name}
      </Link>
      <p className="text-sm text-muted">
        {STATE_NAMES[state]}, <Time iso={createdAt} />
      </p>
    </div>
  )
}
