import type { Project } from '#contract/projects.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { useUpdateProject } from './mutations.ts'

/** Says that a link leads others nowhere yet, with the remedy for those who have it. */
export function NotPublicYet({ project, mayPublish }: { project: Project; mayPublish: boolean }) {
  const { mutate } = useUpdateProject(project._id)
  const { title, description, version } = project

  return (
    <Banner tone="info">
      <p>This project is private, so nobody else can open the link yet.</p>
      {mayPublish && (
        <Button
          size="sm"
          className="mt-2"
          onClick={() => mutate({ fields: { title, description, isPublic: true }, version })}
        >
          Make it public
        </Button>
      )}
    </Banner>
  )
}
