/** Where a command is listed: everywhere, on the page of an entry or a project, or only among what can be done in the palette. */
type Group = 'here' | 'create' | 'go' | 'settings'

export type Command = {
  name: string
  group: Group
  /** The key that gives it, with `Mod+` if it is pressed with Ctrl or ⌘. */
  key?: string
  /** Whether its key works only on the page of an entry. */
  isOfEntry?: true
  /** The screen that it opens from the palette. */
  to?: string
}

/** Everything that can be done by a key or from the palette. */
export const commands = {
  palette: { name: 'Find something, or do something', group: 'go', key: 'Mod+k' },
  nextEntry: { name: 'Next entry', group: 'here', key: 'j', isOfEntry: true },
  previousEntry: { name: 'Previous entry', group: 'here', key: 'k', isOfEntry: true },
  editEntry: { name: 'Edit this entry', group: 'here', key: 'e', isOfEntry: true },
  shareProject: { name: 'Share this project', group: 'here' },
  editProject: { name: 'Edit this project', group: 'here' },
  lookBack: { name: 'Look back on this project', group: 'here' },
  tags: { name: 'List the tags of this project', group: 'here' },
  collaborators: { name: 'Manage the collaborators of this project', group: 'here' },
  write: { name: 'Write an entry', group: 'create', key: 'c' },
  addMilestone: { name: 'Add a milestone', group: 'create' },
  createProject: { name: 'Create a project', group: 'create' },
  search: { name: 'Search this list, or everything', group: 'go', key: '/', to: '/search' },
  dashboard: { name: 'Go to the dashboard', group: 'go', to: '/dashboard' },
  collaborations: { name: 'Go to my collaborations', group: 'go', to: '/collaborations' },
  calendar: { name: 'Look back on all my projects', group: 'go', to: '/calendar' },
  trash: { name: 'Go to the trash', group: 'go', to: '/trash' },
  import: { name: 'Import an archive', group: 'go', to: '/import' },
  administration: { name: 'Go to the administration', group: 'go', to: '/admin' },
  settings: { name: 'Change my settings', group: 'settings', to: '/settings' },
  light: { name: 'Use the light theme', group: 'settings' },
  dark: { name: 'Use the dark theme', group: 'settings' },
  system: { name: 'Use the theme of the system', group: 'settings' },
  shortcuts: { name: 'List the shortcuts', group: 'settings', key: '?' },
} as const satisfies { [id: string]: Command }

export type CommandId = keyof typeof commands

/** All commands, in the order in which they are offered. */
export const commandList = Object.entries(commands) as [CommandId, Command][]
