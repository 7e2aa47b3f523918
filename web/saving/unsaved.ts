/** The version of something that is shown before the server has it. */
export const UNSAVED = 0

/** Whether this is shown before the server has it, so that no request can refer to it yet. */
export const isUnsaved = ({ version }: { version: number }): boolean => version === UNSAVED
