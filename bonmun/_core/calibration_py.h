/* Calibrated scores for Python. Include Python.h first. */
#ifndef BONMUN_CALIBRATION_PY_H
#define BONMUN_CALIBRATION_PY_H

extern const char bonmun_calibrate_doc[];
PyObject *bonmun_calibrate(PyObject *self, PyObject *args);

#endif
