/** Returns a size in the units in which operators set the quota: 1 GB is 1,000 MB. */
export function storageSize(bytes: number): string {
  const [amount, unit] = bytes < 1e9 ? [bytes / 1e6, 'MB'] : [bytes / 1e9, 'GB']
  return `${amount.toLocaleString(undefined, { maximumFractionDigits: amount < 10 ? 1 : 0 })} ${unit}`
}
