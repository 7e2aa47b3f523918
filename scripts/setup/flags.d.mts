export function withTakenFlags(args: string[]): Promise<string[]>
