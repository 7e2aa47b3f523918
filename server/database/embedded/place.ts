import path from 'node:path'
import type { Binaries } from './binaries.ts'
import type { ServerUser } from './command.ts'

/** One embedded database: its folder, who runs it and with which programs. */
export type Place = { home: string; user: ServerUser; binaries: Binaries }

/**
 * PostgreSQL's own folder within `home`. Its programs are given this name relative to `home`, their working
 * folder: they pass paths on through a shell, where a quote or a dollar sign in a longer one would break.
 */
export const CLUSTER = 'cluster'

/** The file in the cluster that holds Milepost's settings for PostgreSQL. */
export const CONFIGURATION = 'milepost.conf'

/** The database and the role that Milepost works with; the role owns the database and is no superuser. */
export const DATABASE = 'milepost'

/** The absolute path of a file in the cluster. */
export const inCluster = (place: Place, file = '') => path.join(place.home, CLUSTER, file)
