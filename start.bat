@echo off
rem Starts KRRU by a double click. The window stays open so that what went wrong can be read.
cd /d "%~dp0"
set KRRU_PYTHON=python
where py >nul 2>nul && set KRRU_PYTHON=py -3
%KRRU_PYTHON% start.py %*
if errorlevel 1 pause
