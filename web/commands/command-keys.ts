import { type CommandId, commandList } from './table.ts'

/** The command of each key in the table. The build replaces this file by the result, so that the first screen loads no names. */
export const commandKeys: { readonly [key: string]: CommandId } = Object.fromEntries(
  commandList.flatMap(([id, { key }]) => (key === undefined ? [] : [[key, id]])),
)
