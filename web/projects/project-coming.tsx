import { ScreenTitle } from '#web/head/screen-title.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { columnsClass } from './project-columns.ts'

/** The shape of a project's page while the project is on its way. */
export function ProjectComing() {
  return (
    <>
      <ScreenTitle>Project</ScreenTitle>
      <div className="mb-8 flex items-start justify-between gap-8">
        <div className="w-full max-w-reading">
          <Skeleton className="h-10 w-2/3" />
          <Skeleton className="mt-3 h-5 w-full" />
        </div>
        <Spinner label="Loading project" className="whitespace-nowrap" />
      </div>
      <div className={columnsClass}>
        <div className="flex flex-col gap-3">
          {Array.from({ length: 3 }, (_, index) => (
            <Skeleton key={index} className="ml-10 h-20 rounded-lg" />
          ))}
        </div>
        <Skeleton className="hidden h-64 rounded-lg lg:block" />
      </div>
    </>
  )
}
