@echo off
rem Starts KRRU by a double click. The window stays open so that what went wrong can be read.
setlocal
rem Either may be there and start nothing: the launcher without a Python, the Store's placeholder.
set KRRU_PYTHON=py -3
%KRRU_PYTHON% -c "import venv" >nul 2>nul
if not errorlevel 1 goto start
set KRRU_PYTHON=python
%KRRU_PYTHON% -c "import venv" >nul 2>nul
if not errorlevel 1 goto start
echo KRRU braucht Python 3.11 oder neuer, und auf diesem Rechner ist keines zu finden.
echo Von python.org holen, beim Einrichten "Add python.exe to PATH" ankreuzen, dann noch einmal.
pause
exit /b 1

:start
%KRRU_PYTHON% "%~dp0start.py" %*
set KRRU_CODE=%errorlevel%
if not "%KRRU_CODE%"=="0" pause
exit /b %KRRU_CODE%
