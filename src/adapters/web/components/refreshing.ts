/**
 * Attributes of a part of a page that loads itself again while work is running.
 * @param part its selector @param address of the page @param seconds between loads
 */
export const refreshWhile = (isRunning: boolean, part: string, address: string, seconds = 2): Record<string, string> => isRunning
  ? { 'hx-get': address, 'hx-trigger': `every ${seconds}s`, 'hx-select': part, 'hx-target': part, 'hx-swap': 'outerHTML' }
  : {}
