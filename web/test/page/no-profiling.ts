/**
 * Imported before React, whose development build otherwise records every element and every render for the browser's
 * profiler. That took a third of the time of the page's scripts. Warnings stay.
 */
Object.assign(console, { createTask: undefined, timeStamp: undefined });
