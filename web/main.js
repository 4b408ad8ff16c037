// SPDX-License-Identifier: BSD-3-Clause
// The report page: unpack the data, then draw it.
import {load} from './src/data.js';

load().then((trace) => {
	document.getElementById('loading').textContent =
		trace.head.report.findings.length + ' findings';
}, (error) => {
	document.getElementById('loading').textContent =
		'The report cannot be shown: ' + error.message;
});
