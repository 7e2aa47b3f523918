import { clsx } from 'clsx'
import {
  ArrowUpRight,
  Bell,
  BookOpen,
  CalendarDays,
  Download,
  Globe,
  History,
  Link as LinkIcon,
  LockKeyhole,
  type LucideIcon,
  Pencil,
  Share2,
  Tags,
  Users,
  Webhook,
} from 'lucide-react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Permissions } from '#contract/permissions.ts'
import type { Project } from '#contract/projects.ts'
import { activityPath } from '#web/activity/queries.ts'
import { calendarPath } from '#web/calendar/queries.ts'
import { RoleBadge } from '#web/collaborators/roles.tsx'
import { useCommand } from '#web/commands/use-command.ts'
import { tagsPath } from '#web/entries/paths.ts'
import { ExportDialog } from '#web/export/dialogs.ts'
import { formNames } from '#web/forms/form-names.ts'
import { useDialogs, useReopenedForm } from '#web/forms/use-dialogs.ts'
import { EditProjectDialog, ShareDialog } from '#web/projects/dialogs.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Menu } from '#web/ui/dialogs/menu.tsx'
import { menuRowClass } from '#web/ui/dialogs/menu-row.ts'
import { dialogOnDemand } from '#web/ui/dialogs/on-demand.tsx'
import { Ring } from '#web/ui/feedback/loading.tsx'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { PageHeader } from '#web/ui/layout/page.tsx'
import { ClampedText } from './clamped-text.tsx'
import { storyPath } from './story/queries.ts'

const ManageDialog = dialogOnDemand(
  async () => (await import('#web/collaborators/manage/manage-dialog.tsx')).ManageDialog,
)
const WatchDialog = dialogOnDemand(async () => (await import('#web/watching/watch-dialog.tsx')).WatchDialog)
const WebhooksDialog = dialogOnDemand(
  async () => (await import('#web/webhooks/webhooks-dialog.tsx')).WebhooksDialog,
)

type ProjectHeaderProps = {
  project: Project
  permissions: Permissions
  rightsPending: boolean
  spinning: boolean
  onShare: () => void
  /** The main action of the page, beside the project's own actions. */
  action: ReactNode
}

/** The title and description of a project, its visibility, the user's role, and the actions that the role allows. */
export function ProjectHeader(props: ProjectHeaderProps) {
  const { project, permissions, rightsPending, spinning, onShare, action } = props
  const { role, isOwner } = permissions
  return (
    <PageHeader
      written
      title={project.title}
      beside={spinning && <LoadingRing />}
      lede={<ClampedText text={project.description} />}
      actions={
        // The space is reserved until the rights are known, so that nothing moves.
        <div
          className={clsx(
            'flex min-h-10 w-full flex-wrap gap-1 pointer-coarse:min-h-11 max-[23rem]:gap-0 sm:gap-1.5',
            rightsPending && 'invisible',
          )}
        >
          <Button
            variant="quiet"
            icon={<Share2 />}
            className="-ml-3 px-3"
            {...ShareDialog.preloadProps}
            onClick={onShare}
          >
            <span className="max-sm:sr-only">Share</span>
          </Button>
          <ProjectActions project={project} permissions={permissions} />
          {action}
        </div>
      }
    >
      <div className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1 pointer-coarse:-mt-3 pointer-coarse:mb-0">
        <ProjectVisibility project={project} onShare={onShare} />
        {role && role !== 'owner' && !isOwner && <RoleBadge role={role}>Collaborator ({role})</RoleBadge>}
      </div>
    </PageHeader>
  )
}

type ProjectActionsProps = Pick<ProjectHeaderProps, 'project' | 'permissions'>

/** The collaborators of a project, a menu with its other actions, and their dialogs. */
function ProjectActions({ project, permissions }: ProjectActionsProps) {
  const { role, canManageCollaborators: canChangeProject } = permissions
  const edits = useDialogs<Project>()
  const [open, setOpen] = useState<'collaborators' | 'notifications' | 'webhooks' | 'export' | null>(null)
  const isLost =
    open === 'collaborators' || open === 'webhooks' ? !canChangeProject : open === 'notifications' && !role
  if (isLost) setOpen(null)
  const close = () => setOpen(null)

  const navigate = useNavigate()
  useCommand('lookBack', () => void navigate(calendarPath(project._id)))
  useCommand('tags', () => void navigate(tagsPath(project._id)))
  useCommand('editProject', canChangeProject ? () => edits.open(project) : null)
  useCommand('collaborators', canChangeProject ? () => setOpen('collaborators') : null)
  useReopenedForm((wasInterrupted) => {
    if (canChangeProject && wasInterrupted(formNames.project(project))) edits.open(project)
    else if (canChangeProject && wasInterrupted(formNames.invitation(project._id))) setOpen('collaborators')
    else return false
    return true
  })

  return (
    <>
      {canChangeProject && (
        <Button
          variant="quiet"
          icon={<Users />}
          className="px-3"
          {...ManageDialog.preloadProps}
          onClick={() => setOpen('collaborators')}
        >
          <span className="max-sm:sr-only">Collaborators</span>
        </Button>
      )}
      {role && (
        <Menu label="More actions">
          <PageLinks projectId={project._id} />
          <MenuButton
            Icon={Bell}
            label="Notifications"
            {...WatchDialog.preloadProps}
            onClick={() => setOpen('notifications')}
          />
          <MenuButton
            Icon={Download}
            label="Export"
            {...ExportDialog.preloadProps}
            onClick={() => setOpen('export')}
          />
          {canChangeProject && (
            <>
              <MenuButton
                Icon={Pencil}
                label="Edit Project"
                {...EditProjectDialog.preloadProps}
                onClick={() => edits.open(project)}
              />
              <MenuButton
                Icon={Webhook}
                label="Webhooks"
                {...WebhooksDialog.preloadProps}
                onClick={() => setOpen('webhooks')}
              />
            </>
          )}
        </Menu>
      )}
      {open === 'notifications' && <WatchDialog project={project} onClose={close} />}
      {open === 'webhooks' && <WebhooksDialog project={project} onClose={close} />}
      {open === 'export' && (
        <ExportDialog scope={{ project: project._id }} title={project.title} onClose={close} />
      )}
      {open === 'collaborators' && <ManageDialog project={project} onClose={close} />}
      {edits.dialogs.map(({ key, subject }) => (
        <EditProjectDialog key={key} project={subject} onClose={() => edits.close(key)} />
      ))}
    </>
  )
}

const pages = [
  { label: 'Read the story', path: storyPath, Icon: BookOpen },
  { label: 'Activity', path: activityPath, Icon: History },
  { label: 'Look back', path: calendarPath, Icon: CalendarDays },
  { label: 'Tags', path: tagsPath, Icon: Tags },
]

const PageLinks = ({ projectId }: { projectId: string }) =>
  pages.map(({ label, path, Icon }) => (
    <Link key={label} to={path(projectId)} className={menuRowClass}>
      <Icon aria-hidden="true" />
      {label}
    </Link>
  ))

type MenuButtonProps = Omit<ComponentProps<'button'>, 'type' | 'className'> & {
  label: string
  Icon: LucideIcon
}

const MenuButton = ({ label, Icon, ...button }: MenuButtonProps) => (
  <button type="button" className={menuRowClass} {...button}>
    <Icon aria-hidden="true" />
    {label}
  </button>
)

const visibilities = {
  public: { text: 'Public', Icon: Globe },
  unlisted: { text: 'Unlisted', Icon: LinkIcon },
  private: { text: 'Private', Icon: LockKeyhole },
}

/** The visibility of the project, as a button that opens the share dialog, and the link to its public page. */
function ProjectVisibility({ project, onShare }: Pick<ProjectHeaderProps, 'project' | 'onShare'>) {
  const { text, Icon } = visibilities[project.visibility]
  return (
    <p className="flex items-center gap-2 text-sm text-muted" data-print="hidden">
      <button
        type="button"
        className="-mx-1 inline-flex items-center gap-1.5 rounded-sm px-1 font-medium hover:text-ink min-h-6 pointer-coarse:min-h-11"
        {...ShareDialog.preloadProps}
        onClick={onShare}
      >
        <Icon className="size-4" aria-hidden="true" />
        {text}
      </button>
      {project.isPublic && (
        <>
          <span aria-hidden="true">·</span>
          <a
            href={`/world/${project._id}`}
            target="_blank"
            rel="noreferrer"
            className="inline-flex items-center gap-1 rounded-sm font-medium text-accent hover:text-accent-strong min-h-6 pointer-coarse:min-h-11"
          >
            View page
            <ArrowUpRight className="size-4" aria-hidden="true" />
          </a>
        </>
      )}
    </p>
  )
}

function LoadingRing() {
  return (
    <output className="animate-appear text-accent" data-print="hidden">
      <Ring className="size-5" />
      <VisuallyHidden>Loading</VisuallyHidden>
    </output>
  )
}
