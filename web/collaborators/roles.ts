import type { CollaboratorRole } from '#contract/permissions.ts'

/** The roles that can be given, from the least to the most, as a list of choices. */
export const roleChoices: readonly { value: CollaboratorRole; label: string }[] = [
  { value: 'viewer', label: 'Viewer' },
  { value: 'editor', label: 'Editor' },
  { value: 'admin', label: 'Admin' },
]

/** What somebody with a role may do. */
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

/** A role as part of a sentence. */
export const withArticle = (role: CollaboratorRole) => withArticles[role]
