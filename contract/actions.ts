/** What can be done in a project. Who may do it is decided by the server's permission table. */
export type Action =
  | 'project:view'
  | 'project:edit'
  | 'project:delete'
  | 'content:edit'
  | 'activity:view'
  | 'collaborators:list'
  | 'collaborators:manage'
  | 'collaborators:leave'
