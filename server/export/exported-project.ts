/** A project in the download of all data. Of a project of others, people get only their own part. */
export type ExportedProject = { projectId: string; isOwn: boolean }
