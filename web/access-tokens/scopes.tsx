import type { Scope } from '#contract/parts/call.ts'

/** The label and the explanation of each scope. */
export const scopeTexts: Record<Scope, { label: string; hint: string }> = {
  read: { label: 'Read', hint: 'See projects, milestones, entries and files, private ones too.' },
  write: { label: 'Write', hint: 'Start projects; add, change and delete milestones, entries and files.' },
  publish: {
    label: 'Publish',
    hint: 'With Write or Manage: publish entries, make projects public, and change what a public project shows, its milestones too. Without it, new entries have to be drafts.',
  },
  manage: {
    label: 'Manage',
    hint: 'Change and delete projects; see addresses of collaborators, invite and remove them.',
  },
}

export const scopeNames = (scopes: Scope[]): string =>
  scopes.map((scope) => scopeTexts[scope].label).join(', ')
