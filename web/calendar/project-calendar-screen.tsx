import { useParams } from 'react-router'
import { ScreenTitle } from '#web/head/screen-title.tsx'
import { ProjectGone } from '#web/projects/project-gone.tsx'
import { useProject } from '#web/projects/queries.ts'
import { Breadcrumb } from '#web/ui/layout/breadcrumb.tsx'
import { Page, PageHeader } from '#web/ui/layout/page.tsx'
import { LookBack } from './look-back.tsx'

/** The past of one project. */
export default function ProjectCalendarScreen() {
  const { projectId = '' } = useParams()
  const project = useProject(projectId)
  const title = project.data?.title ?? 'Project'
  if (project.isAbsent) return <ProjectGone />
  return (
    <Page>
      <ScreenTitle>{`Look back on ${title}`}</ScreenTitle>
      <PageHeader title="Look back" lede="What happened in this project, day by day">
        <Breadcrumb steps={[{ label: title, to: `/projects/${projectId}` }, { label: 'Look back' }]} />
      </PageHeader>
      <LookBack projectId={projectId} />
    </Page>
  )
}
