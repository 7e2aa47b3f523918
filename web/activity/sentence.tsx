import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Activity, ActivityKind } from '#contract/activity.ts'
import { withArticle } from '#web/collaborators/roles.tsx'
import { entryPath, milestonePath } from '#web/entries/paths.ts'

type SentenceProps = { projectId: string; activity: Activity }

/** An activity as a sentence, with links to resources that still exist. */
export function Sentence({ projectId, activity }: SentenceProps) {
  const sentence = sentences[activity.kind]
  return (
    <>
      <bdi className="font-semibold">{activity.actor?.name ?? 'Somebody'}</bdi>{' '}
      {sentence({ projectId, activity })}
    </>
  )
}

const linkClass = 'rounded-sm font-medium text-ink underline decoration-edge hover:decoration-current'

function Subject({ projectId, activity: { subject, kind, entry, milestone } }: SentenceProps) {
  const isEntry = kind.startsWith('entry_')
  if (isEntry && entry)
    return (
      <Link to={entryPath(projectId, entry)} className={linkClass}>
        <bdi>{subject}</bdi>
      </Link>
    )
  if (!isEntry && milestone)
    return (
      <Link to={milestonePath(projectId, milestone._id)} className={linkClass}>
        <bdi>{subject}</bdi>
      </Link>
    )
  return <bdi className="font-medium text-ink">{subject}</bdi>
}

function MilestoneLink({ projectId, activity: { milestone } }: SentenceProps) {
  if (!milestone) return null
  return (
    <Link to={milestonePath(projectId, milestone._id)} className={linkClass}>
      <bdi>{milestone.title}</bdi>
    </Link>
  )
}

/** A sentence about what somebody did to the subject of the activity. */
const did = (verb: string, after?: string) => (props: SentenceProps) => (
  <>
    {verb} <Subject {...props} />
    {after && ` ${after}`}
  </>
)

const asRole = ({ role }: Activity['details']) => (role ? ` as ${withArticle(role)}` : '')

const sentences: { [kind in ActivityKind]: (props: SentenceProps) => ReactNode } = {
  project_created: did('started the project'),
  project_edited: () => 'changed the title, description or cover of the project',
  project_published: ({ activity: { details } }) =>
    details.visibility === 'unlisted'
      ? 'made the project public to everybody who has its link'
      : 'made the project public',
  project_unpublished: () => 'made the project private',
  project_deleted: () => 'deleted the project',
  project_restored: () => 'restored the project',
  project_handed_over: did('transferred the project to'),
  milestone_created: did('added the milestone'),
  milestone_edited: did('changed the milestone'),
  milestone_completed: did('completed the milestone'),
  milestone_reopened: did('reopened the milestone'),
  milestone_moved: (props) =>
    did('moved the milestone', props.activity.details.movedAway ? 'to another project' : undefined)(props),
  milestone_deleted: did('deleted the milestone'),
  milestone_restored: did('restored the milestone'),
  tag_renamed: (props) => (
    <>
      renamed the tag <bdi className="font-medium text-ink">{props.activity.details.formerName}</bdi> to{' '}
      <Subject {...props} />
    </>
  ),
  entry_written: (props) => (
    <>
      wrote <Subject {...props} />
      {props.activity.milestone && (
        <>
          {' '}
          in <MilestoneLink {...props} />
        </>
      )}
    </>
  ),
  entry_edited: (props) =>
    did(props.activity.details.toRevision ? 'restored an earlier version of' : 'edited')(props),
  entry_moved: (props) => (
    <>
      moved <Subject {...props} />
      {props.activity.details.movedAway ? (
        ' to another project'
      ) : (
        <> to {props.activity.milestone ? <MilestoneLink {...props} /> : 'another milestone'}</>
      )}
    </>
  ),
  entry_deleted: did('deleted'),
  entry_restored: did('restored'),
  link_created: did('created the share link'),
  link_changed: did('changed the share link'),
  link_renewed: did('gave a new address to the share link'),
  link_revoked: did('revoked the share link'),
  member_invited: (props) => did('invited', asRole(props.activity.details).trim())(props),
  invitation_withdrawn: did('withdrew the invitation of'),
  member_joined: ({ activity: { details } }) => `joined${asRole(details)}`,
  member_declined: did('declined the invitation of'),
  member_left: () => 'left the project',
  member_removed: did('removed'),
  role_changed: ({ activity, ...props }) => (
    <>
      made <Subject activity={activity} {...props} />{' '}
      {activity.details.role && withArticle(activity.details.role)}
    </>
  ),
}
