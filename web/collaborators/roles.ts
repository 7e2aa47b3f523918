import type { CollaboratorRole } from '#contract/permissions.ts'

/** The roles that a collaborator can have, from the fewest to the most rights, as options of a select. */
export const roleChoices: readonly { value: CollaboratorRole; label: string }[] = [
  { value: 'viewer', label: 'Viewer' },
  { value: 'editor', label: 'Editor' },
  { value: 'admin', label: 'Admin' },
]

/** A description of each role's rights. */
export const roleRights: { [role in CollaboratorRole]: string } = {
  viewer: 'You can view the project and its entries.',
  editor:
    'You can view the project, and create and edit milestones and entries. Editors can also delete entries and milestones.',
  admin: 'You have full access, including managing collaborators and project settings.',
}

const withArticles: { [role in CollaboratorRole]: string } = {
  viewer: 'a viewer',
  editor: 'an editor',
  admin: 'an admin',
}

/** Returns a role with its article, for use in a sentence. */
export const withArticle = (role: CollaboratorRole) => withArticles[role]
