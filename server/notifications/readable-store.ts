import { sql } from 'kysely'

/** Whether the reader of a notification `n` is a member of its project. */
export const isOfMember = sql<boolean>`
  exists (
    select from live_projects p
    where p.id = (n.data ->> 'projectId')::uuid
      and (p.owner_id = n.user_id or exists (
        select from collaborators c
        where c.project_id = p.id and c.user_id = n.user_id and c.status = 'accepted')))`

/** Whether readers of the project still see what the news in a notification `n` is about. */
export const isSeen = sql<boolean>`
  case
    when n.data ? 'entryId' and n.count = 1 then exists (
      select from live_entries e join live_milestones m on m.id = e.milestone_id
      where e.id = (n.data ->> 'entryId')::uuid and m.project_id = (n.data ->> 'projectId')::uuid)
    when n.data ? 'entryId' then true
    else exists (
      select from live_milestones m
      where m.id = (n.data ->> 'milestoneId')::uuid and m.project_id = (n.data ->> 'projectId')::uuid)
  end`

/** Whether the reader of a notification `n` may still read what it names; always true if it is not the news of a project. */
export const isReadable = sql<boolean>`
  n.kind is null or (${isSeen} and (${isOfMember} or exists (
    select from public_projects p where p.id = (n.data ->> 'projectId')::uuid)))`
